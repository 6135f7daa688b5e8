//! The columns of some rows, as everything that reads columns takes them.

use super::bits::BitReader;
use super::floats::FloatReader;
use super::ints::IntReader;
use super::strings::StrReader;
use crate::layout::batch::Batch;
use crate::plan::{ColumnCounts, ColumnOrigin, Plan};

/// The columns of some rows. Each is packed, in the body of a frame, or plain, in memory; its reader
/// gives values a block at a time. Columns under an optional, a sequence or an arm are dense: only
/// present values take space.
///
/// The columns agree: the number of values of each is what the columns above it in the schema say.
#[derive(Clone, Debug)]
pub struct ColumnSet<'a> {
    /// Integers, sequence lengths, union tags.
    pub ints: Vec<IntReader<'a>>,
    /// Floats.
    pub floats: Vec<FloatReader<'a>>,
    /// Strings.
    pub strs: Vec<StrReader<'a>>,
    /// Booleans and presence bits.
    pub bits: Vec<BitReader<'a>>,
    /// The number of rows.
    pub rows: usize,
    /// The elements of all sequences, counted as for [`MAX_ROW_ELEMENTS`](crate::limits), or 0 if those
    /// of each row were counted when its values became columns.
    pub elements: usize,
}

impl<'a> ColumnSet<'a> {
    /// Returns the columns that rows of `plan` were staged in.
    pub fn staged(plan: &Plan, batch: &'a Batch) -> ColumnSet<'a> {
        let strs = batch.strs.iter().zip(&plan.to.str_encodings);
        ColumnSet {
            ints: batch.ints.iter().map(|column| IntReader::plain(column)).collect(),
            floats: batch.floats.iter().map(|column| FloatReader::plain(column)).collect(),
            strs: strs.map(|(column, &encoding)| StrReader::plain(column, encoding)).collect(),
            bits: batch.bits.iter().map(|column| BitReader::plain(column)).collect(),
            rows: batch.rows,
            elements: 0,
        }
    }

    /// The number of columns.
    pub fn count(&self) -> usize {
        self.ints.len() + self.floats.len() + self.strs.len() + self.bits.len()
    }

    /// Returns the columns of `plan`'s reader. The columns must be of its writer. Returns `None` if the
    /// plan does not take whole columns, so that it must convert the rows one by one.
    pub fn evolved(&self, plan: &Plan) -> Option<ColumnSet<'a>> {
        let origins = plan.usage.origins.as_ref()?;
        let ColumnCounts { ints, floats, strs, .. } = plan.to.columns;
        let (ints, rest) = origins.split_at(ints as usize);
        let (floats, rest) = rest.split_at(floats as usize);
        let (strs, bits) = rest.split_at(strs as usize);
        let encodings = &plan.to.str_encodings;
        Some(ColumnSet {
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
