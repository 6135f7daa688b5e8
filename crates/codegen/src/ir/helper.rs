//! Functions of Rust that compiled code calls. Each is declared once.
//!
//! A declaration contains the Rust type of the function, which determines LLVM's type, its name for
//! the linker, and its documentation. Emitters call it through the handle [`Helper`]. Its arguments
//! and result have the types of the declaration, so a wrong number or kind of arguments does not
//! compile.

use std::marker::PhantomData;

use inkwell::context::Context;
use inkwell::types::{BasicMetadataTypeEnum, BasicType, FunctionType};

use super::emitter::Built;
use super::value::{Int, Pointer, Typed, Value};
use crate::error::CompileError;

/// A symbol's name and its address in this process.
pub(crate) type Symbol = (&'static str, usize);

/// A function of type `F`, an `unsafe extern "C" fn`, with its name for the linker.
pub(crate) struct Helper<F> {
    pub(crate) name: &'static str,
    function: PhantomData<F>,
}

impl<F> Clone for Helper<F> {
    fn clone(&self) -> Self {
        *self
    }
}

impl<F> Copy for Helper<F> {}

impl<F> Helper<F> {
    pub(crate) const fn new(name: &'static str) -> Helper<F> {
        Helper { name, function: PhantomData }
    }
}

/// A Rust type that compiled code passes to helpers.
pub(crate) trait Argument {
    /// Its type in emitted code.
    type Emitted<'ctx>: Typed<'ctx>;
}

impl<T> Argument for *const T {
    type Emitted<'ctx> = Pointer<'ctx>;
}

impl<T> Argument for *mut T {
    type Emitted<'ctx> = Pointer<'ctx>;
}

impl Argument for usize {
    type Emitted<'ctx> = Int<'ctx>;
}

impl Argument for i64 {
    type Emitted<'ctx> = Int<'ctx>;
}

impl Argument for u32 {
    type Emitted<'ctx> = Int<'ctx, 32>;
}

impl Argument for u8 {
    type Emitted<'ctx> = Int<'ctx, 8>;
}

/// A Rust type that helpers return.
pub(crate) trait Returned {
    /// Its type in emitted code.
    type Emitted<'ctx>;
    /// Returns LLVM's type of a function that returns it.
    fn function<'ctx>(
        context: &'ctx Context,
        parameters: &[BasicMetadataTypeEnum<'ctx>],
    ) -> FunctionType<'ctx>;
    /// Converts the value of a call.
    fn of(value: Option<Value<'_>>) -> Built<Self::Emitted<'_>>;
}

impl Returned for () {
    type Emitted<'ctx> = ();

    fn function<'ctx>(
        context: &'ctx Context,
        parameters: &[BasicMetadataTypeEnum<'ctx>],
    ) -> FunctionType<'ctx> {
        context.void_type().fn_type(parameters, false)
    }

    fn of(_value: Option<Value<'_>>) -> Built {
        Ok(())
    }
}

impl<T: Argument> Returned for T {
    type Emitted<'ctx> = T::Emitted<'ctx>;

    fn function<'ctx>(
        context: &'ctx Context,
        parameters: &[BasicMetadataTypeEnum<'ctx>],
    ) -> FunctionType<'ctx> {
        T::Emitted::ty(context).fn_type(parameters, false)
    }

    fn of(value: Option<Value<'_>>) -> Built<Self::Emitted<'_>> {
        let none = || CompileError::Ir("a helper returns nothing".to_owned());
        T::Emitted::of(value.ok_or_else(none)?)
    }
}

/// The type of a helper: a function pointer.
pub(crate) trait Signature {
    /// The arguments of a call: a tuple of emitted values.
    type Arguments<'ctx>;
    /// The type of a call's result.
    type Returned: Returned;
    /// Returns LLVM's type of the function.
    fn ty(context: &Context) -> FunctionType<'_>;
    /// Returns the arguments as a list.
    fn values<'ctx>(arguments: Self::Arguments<'ctx>) -> Vec<Value<'ctx>>;
    /// Converts the parameters of a function with this type.
    fn of<'ctx>(parameters: &[Value<'ctx>]) -> Built<Self::Arguments<'ctx>>;
}

macro_rules! signature {
    ($($argument:ident $at:tt),*) => {
        impl<$($argument: Argument,)* R: Returned> Signature
            for unsafe extern "C" fn($($argument),*) -> R
        {
            type Arguments<'ctx> = ($($argument::Emitted<'ctx>,)*);
            type Returned = R;

            fn ty(context: &Context) -> FunctionType<'_> {
                R::function(context, &[$($argument::Emitted::ty(context).into()),*])
            }

            fn values<'ctx>(arguments: Self::Arguments<'ctx>) -> Vec<Value<'ctx>> {
                vec![$(arguments.$at.into()),*]
            }

            fn of<'ctx>(parameters: &[Value<'ctx>]) -> Built<Self::Arguments<'ctx>> {
                Ok(($($argument::Emitted::of(parameters[$at])?,)*))
            }
        }
    };
}

signature!(A 0);
signature!(A 0, B 1);
signature!(A 0, B 1, C 2);
signature!(A 0, B 1, C 2, D 3);
signature!(A 0, B 1, C 2, D 3, E 4);

/// Declares helpers that are functions of this crate: a handle for each, and the function `$list`
/// that returns their symbols.
macro_rules! helpers {
    ($list:ident: $(
        $(#[$doc:meta])*
        $handle:ident = $symbol:literal: $function:path as
            fn($($argument:ident: $ty:ty),*) $(-> $returned:ty)?;
    )*) => {
        $(
            $(#[$doc])*
            pub(crate) const $handle:
                Helper<unsafe extern "C" fn($($ty),*) $(-> $returned)?> = Helper::new($symbol);
        )*

        /// Returns the helpers and their addresses. None of them unwinds.
        pub(crate) fn $list() -> Vec<Symbol> {
            vec![$({
                let function: unsafe extern "C" fn($($argument: $ty),*) $(-> $returned)? = $function;
                ($symbol, function as usize)
            }),*]
        }
    };
}

/// Declares helpers that a language provides: a struct of function pointers, and a handle for each
/// in the module `$handles`.
macro_rules! provided_helpers {
    (
        $(#[$struct_doc:meta])*
        pub struct $functions:ident, handles $handles:ident;
        $(
            $(#[$doc:meta])*
            $field:ident, $handle:ident = $symbol:literal:
                fn($($argument:ident: $ty:ty),*) $(-> $returned:ty)?;
        )*
    ) => {
        $(#[$struct_doc])*
        #[derive(Clone, Copy, Debug)]
        pub struct $functions {
            $(
                $(#[$doc])*
                pub $field: unsafe extern "C" fn($($argument: $ty),*) $(-> $returned)?,
            )*
        }

        pub(crate) mod $handles {
            use super::*;
            use crate::ir::Helper;

            $(
                $(#[$doc])*
                pub(crate) const $handle:
                    Helper<unsafe extern "C" fn($($ty),*) $(-> $returned)?> = Helper::new($symbol);
            )*
        }

        impl $functions {
            pub(crate) fn symbols(&self) -> Vec<crate::ir::Symbol> {
                vec![$(($symbol, self.$field as usize)),*]
            }
        }
    };
}

pub(crate) use {helpers, provided_helpers};
