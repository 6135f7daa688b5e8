//! The columns of a frame as the columns of a reader's schema.

use super::Frame;
use super::bits::BitReader;
use super::floats::FloatReader;
use super::ints::IntReader;
use super::strings::StrReader;
use crate::plan::{ColumnCounts, ColumnOrigin, Plan};

impl<'a> Frame<'a> {
    /// Returns the columns of `plan`'s reader. The frame must be of its writer. Returns `None` if the
    /// plan does not take whole columns, so that it must convert the rows one by one.
    pub fn evolved(&self, plan: &'a Plan) -> Option<Frame<'a>> {
        let origins = plan.usage.origins.as_ref()?;
        let ColumnCounts { ints, floats, strs, .. } = plan.to.columns;
        let (ints, rest) = origins.split_at(ints as usize);
        let (floats, rest) = rest.split_at(floats as usize);
        let (strs, bits) = rest.split_at(strs as usize);
        let encodings = &plan.to.str_encodings;
        Some(Frame {
            ints: ints.iter().map(|origin| self.int(origin)).collect::<Option<_>>()?,
            floats: floats.iter().map(|origin| self.float(origin)).collect::<Option<_>>()?,
            strs: (strs.iter().zip(encodings))
                .map(|(origin, &encoding)| match origin {
                    ColumnOrigin::Column(from) => self.strs.get(*from as usize).cloned(),
                    ColumnOrigin::Bytes(bytes) => {
                        Some(StrReader::constant(bytes, self.rows, encoding))
                    }
                    _ => Some(StrReader::constant(&[], 0, encoding)),
                })
                .collect::<Option<_>>()?,
            bits: bits.iter().map(|origin| self.bit(origin)).collect::<Option<_>>()?,
            rows: self.rows,
            elements: self.elements,
        })
    }

    fn int(&self, origin: &ColumnOrigin) -> Option<IntReader<'a>> {
        match *origin {
            ColumnOrigin::Column(from) => self.ints.get(from as usize).cloned(),
            ColumnOrigin::I64(v) => Some(IntReader::constant(v, self.rows)),
            _ => Some(IntReader::constant(0, 0)),
        }
    }

    fn float(&self, origin: &ColumnOrigin) -> Option<FloatReader<'a>> {
        match *origin {
            ColumnOrigin::Column(from) => self.floats.get(from as usize).cloned(),
            ColumnOrigin::F64(bits) => Some(FloatReader::constant(f64::from_bits(bits), self.rows)),
            _ => Some(FloatReader::constant(0.0, 0)),
        }
    }

    fn bit(&self, origin: &ColumnOrigin) -> Option<BitReader<'a>> {
        match *origin {
            ColumnOrigin::Column(from) => self.bits.get(from as usize).cloned(),
            ColumnOrigin::Bit(bit) => Some(BitReader::constant(bit, self.rows)),
            _ => Some(BitReader::constant(false, 0)),
        }
    }
}
