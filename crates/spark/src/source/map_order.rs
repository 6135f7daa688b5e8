//! Reads the entries of maps in Java's order.

use super::{Frame, Region, UnsafeRows};
use crate::java_map::{self, JavaKey};
use crate::java_text;
use crate::jit_context::{self, OTHER};
use crate::storage::{MapKey, Stored, Width};
use serow_core::layout::OpResult;

impl<'a> UnsafeRows<'a> {
    /// Makes the entries of the map that was just entered be read in Java's order.
    pub(super) fn order(&mut self, key: MapKey, count: usize) -> OpResult {
        if key == MapKey::Other {
            return Ok(());
        }
        let begin = (self.at, self.left);
        self.hashes.clear();
        for _ in 0..count {
            let hash = self.key(key)?.hash();
            self.hashes.push(hash);
        }
        (self.at, self.left) = begin;
        let from = self.orders.len();
        java_map::order(&self.hashes, &mut self.orders);
        for slots in std::iter::once(&mut self.at.now).chain(&mut self.at.then) {
            slots.next = self.orders[from] as usize;
            slots.order = Some(from + 1);
        }
        Ok(())
    }

    /// Returns the order in which to read the entries of a map whose keys are at this location in
    /// the batch, or `None` if the keys are invalid.
    pub(in super::super) fn map_order(
        &mut self,
        row: *const u8,
        (keys, size): (*const u8, usize),
        column: u32,
    ) -> Option<&[u32]> {
        if self.jit_orders.0 != row {
            self.jit_orders.0 = row;
            self.jit_orders.1.clear();
        }
        let Some(Stored::Map(width, _)) = self.storage.of_int(column) else { return None };
        let from = keys.addr().checked_sub(self.batch.as_ptr().addr())?;
        let to = from.checked_add(size).filter(|&to| to <= self.batch.len())?;
        self.left = size;
        let (now, count) = self.list(Region { from, to }, width).ok()?;
        self.at = Frame { now, then: None };
        self.orders.clear();
        if count > 0 {
            self.order(self.storage.key(column), count).ok()?;
        }
        self.jit_orders.1.push(self.orders[..].into());
        self.jit_orders.1.last().map(|order| &**order)
    }

    /// Reads the next key. The slot after it is again a key's.
    fn key(&mut self, key: MapKey) -> OpResult<JavaKey<'a>> {
        self.at.then = None;
        Ok(match key {
            MapKey::Bool => JavaKey::Boolean(self.slot().map(|[byte]| byte != 0)?),
            MapKey::Int(Width::One) => JavaKey::Integer(self.slot().map(i8::from_le_bytes)?.into()),
            MapKey::Int(Width::Two) => {
                JavaKey::Integer(self.slot().map(i16::from_le_bytes)?.into())
            }
            MapKey::Int(Width::Four) => JavaKey::Integer(self.slot().map(i32::from_le_bytes)?),
            MapKey::Int(Width::Eight) => JavaKey::Long(self.word()?),
            MapKey::Single => JavaKey::Float(self.slot().map(f32::from_le_bytes)?),
            MapKey::Double => JavaKey::Double(self.slot().map(f64::from_le_bytes)?),
            MapKey::Text => {
                let bytes = self.blob()?;
                JavaKey::String(match std::str::from_utf8(bytes) {
                    Ok(text) => text.into(),
                    Err(_) => {
                        java_text::decode(bytes, &mut self.scratch);
                        String::from_utf8_lossy(&self.scratch).into_owned().into()
                    }
                })
            }
            MapKey::Decimal { .. } if self.is_null()? => {
                self.step();
                JavaKey::Null
            }
            MapKey::Decimal { precision, scale } if precision <= Stored::MOST_DIGITS_OF_WORD => {
                JavaKey::BigDecimal(self.word()?.into(), scale)
            }
            MapKey::Decimal { scale, .. } => {
                JavaKey::BigDecimal(jit_context::wide(self.blob()?)?, scale)
            }
            MapKey::Other => return Err(OTHER),
        })
    }
}
