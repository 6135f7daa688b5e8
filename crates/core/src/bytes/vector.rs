//! Kernels that are compiled several times: for the baseline of the architecture, and for wider
//! vectors. A call detects the machine's features and selects the version.

/// Defines a function that is also compiled for AVX2 and for AVX-512.
macro_rules! vectorized {
    (
        $(#[$doc:meta])*
        fn $name:ident($($argument:ident: $ty:ty),* $(,)?) $(-> $result:ty)? $body:block
    ) => {
        $(#[$doc])*
        #[inline]
        fn $name($($argument: $ty),*) $(-> $result)? {
            #[inline(always)]
            fn generic($($argument: $ty),*) $(-> $result)? $body

            #[cfg(target_arch = "x86_64")]
            {
                #[target_feature(enable = "avx2,bmi1,bmi2")]
                fn avx2($($argument: $ty),*) $(-> $result)? {
                    generic($($argument),*)
                }

                #[target_feature(enable = "avx512f,avx512dq,avx512vl,avx2,bmi1,bmi2")]
                fn avx512($($argument: $ty),*) $(-> $result)? {
                    generic($($argument),*)
                }

                if is_x86_feature_detected!("avx512dq") && is_x86_feature_detected!("avx512vl") {
                    // SAFETY: the machine has these instructions. AVX-512 implies AVX2 and BMI.
                    return unsafe { avx512($($argument),*) };
                }
                if is_x86_feature_detected!("avx2") && is_x86_feature_detected!("bmi2") {
                    // SAFETY: the machine has these instructions.
                    return unsafe { avx2($($argument),*) };
                }
            }
            generic($($argument),*)
        }
    };
}
pub(crate) use vectorized;
