//! Random numbers that are the same on every machine.

/// The generator SplitMix64 (Steele, Lea, Flood, OOPSLA 2014).
pub struct Random(u64);

impl Random {
    pub fn new(seed: u64) -> Random {
        Random(seed)
    }

    pub fn bits(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9E37_79B9_7F4A_7C15);
        let mut z = self.0;
        z = (z ^ (z >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94D0_49BB_1331_11EB);
        z ^ (z >> 31)
    }

    /// A number from `low` to `high - 1`.
    pub fn within(&mut self, low: i64, high: i64) -> i64 {
        low + (self.bits() % (high - low) as u64) as i64
    }

    /// A number from 0 to 1, without 1.
    pub fn f64(&mut self) -> f64 {
        (self.bits() >> 11) as f64 / (1u64 << 53) as f64
    }

    pub fn f32(&mut self) -> f32 {
        (self.bits() >> 40) as f32 / (1u64 << 24) as f32
    }

    /// True with probability `p`.
    pub fn chance(&mut self, p: f64) -> bool {
        self.f64() < p
    }

    pub fn bool(&mut self) -> bool {
        self.bits() >> 63 == 1
    }

    pub fn of<T: Copy>(&mut self, choices: &[T]) -> T {
        choices[(self.bits() % choices.len() as u64) as usize]
    }

    pub fn text(&mut self, choices: &[&str]) -> String {
        self.of(choices).to_string()
    }

    pub fn maybe<T>(&mut self, make: impl FnOnce(&mut Random) -> T) -> Option<T> {
        if self.bool() { Some(make(self)) } else { None }
    }

    /// Fewer than `most` values.
    pub fn some<T>(&mut self, most: i64, mut make: impl FnMut(&mut Random) -> T) -> Vec<T> {
        (0..self.within(0, most)).map(|_| make(self)).collect()
    }
}
