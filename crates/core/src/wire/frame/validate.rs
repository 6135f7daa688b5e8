//! Checks that columns agree: the lengths of a sequence column add up to the number
//! of values in its elements' columns, and so on down the schema.

use super::{ColumnSet, floats, ints};
use crate::error::{Corrupt, malformed};
use crate::limits::{CONTAINER_ELEMENTS, MAX_ZERO_SIZED};
use crate::number::Number;
use crate::plan::Plan;
use crate::schema::{Logical, Type};

/// Checks the numbers of values in all columns. The columns have `values` values in total; together
/// with the lists and tuples around them there may be at most `most`. Returns the number of elements of
/// all sequences, where each sequence counts as some more.
pub(super) fn counts(
    plan: &Plan,
    set: &ColumnSet<'_>,
    values: usize,
    most: usize,
) -> Result<usize, Corrupt> {
    let mut check = Check {
        set,
        ints: 0,
        floats: 0,
        strs: 0,
        bits: 0,
        zero_sized: 0,
        elements: 0,
        values,
        most,
    };
    check.ty(plan.from.schema.root(), set.rows)?;
    Ok(check.elements)
}

struct Check<'a, 'b> {
    set: &'a ColumnSet<'b>,
    ints: usize,
    floats: usize,
    strs: usize,
    bits: usize,
    /// Zero-sized values: they need no column.
    zero_sized: usize,
    /// Elements of sequences, and [`CONTAINER_ELEMENTS`] for each.
    elements: usize,
    /// Values in columns plus the lists and tuples around them, and the limit of this number.
    values: usize,
    most: usize,
}

impl<'a, 'b> Check<'a, 'b> {
    fn ty(&mut self, ty: &Type, count: usize) -> Result<(), Corrupt> {
        match ty {
            Type::Never | Type::Open(_) if count > 0 => malformed("a value is of type never"),
            Type::Never | Type::Open(_) => Ok(()),
            Type::Null => self.zero_sized(count),
            Type::Bool => self.bits(count).map(drop),
            Type::I64 => self.ints(count).map(drop),
            Type::F64 => self.floats(count).map(drop),
            Type::Str => self.strs(count),
            Type::Logical(Logical::F32) => match self.floats(count)?.are_single() {
                true => Ok(()),
                false => malformed("a float of type f32 has more than 32 bits"),
            },
            Type::Logical(ty) => {
                match ty.sized_int() {
                    // Each component is one of a `u64`.
                    None | Some(Number::U64) => {}
                    Some(of) => {
                        let (least, largest) = of.integers();
                        return match self.ints(count)?.are_in(least as i64..=largest as i64) {
                            true => Ok(()),
                            false => malformed("an integer is beyond the range of its type"),
                        };
                    }
                }
                let counts = ty.counts();
                (0..counts.ints).try_for_each(|_| self.ints(count).map(drop))?;
                (0..counts.floats).try_for_each(|_| self.floats(count).map(drop))?;
                (0..counts.bytes).try_for_each(|_| self.strs(count))
            }
            Type::Optional(inner) => {
                let present = self.bits(count)?.ones();
                self.ty(inner, present)
            }
            Type::Fixed(_, fields) => {
                self.container(fields.is_empty(), count)?;
                fields.iter().try_for_each(|field| self.ty(field, count))
            }
            Type::Struct(of) => {
                self.container(of.fields.is_empty(), count)?;
                of.fields.iter().try_for_each(|field| {
                    let count = if field.maybe { self.bits(count)?.ones() } else { count };
                    self.ty(&field.ty, count)
                })
            }
            Type::Sequence(_, element) => {
                let elements = self.lengths(count)?;
                self.ty(element, elements)
            }
            Type::Map(key, value) => {
                let entries = self.lengths(count)?;
                self.ty(key, entries)?;
                self.ty(value, entries)
            }
            Type::Enum(of) => {
                let members = self.ints(count)?;
                each(members, |member, _| {
                    match usize::try_from(member).is_ok_and(|member| member < of.members.len()) {
                        true => Ok(()),
                        false => malformed("a value is not a member of its enum"),
                    }
                })
            }
            Type::Union(arms) => {
                let tags = self.ints(count)?;
                let mut counts = vec![0; arms.len()];
                each(tags, |tag, times| {
                    match usize::try_from(tag).ok().and_then(|tag| counts.get_mut(tag)) {
                        Some(count) => *count += times,
                        None => return malformed("a union has an arm that its schema lacks"),
                    }
                    Ok(())
                })?;
                arms.iter().zip(counts).try_for_each(|(arm, count)| self.ty(arm, count))
            }
        }
    }

    /// Counts lists, tuples, dicts with fixed keys or records.
    fn container(&mut self, is_empty: bool, count: usize) -> Result<(), Corrupt> {
        if is_empty {
            return self.zero_sized(count);
        }
        self.values = self.values.saturating_add(count);
        match self.values <= self.most {
            true => Ok(()),
            false => malformed("there are more lists and tuples than such a frame may hold"),
        }
    }

    /// Returns the total number of elements of `count` sequences.
    fn lengths(&mut self, count: usize) -> Result<usize, Corrupt> {
        let lengths = self.ints(count)?;
        let mut elements = 0usize;
        each(lengths, |len, times| {
            let more = usize::try_from(len).ok().and_then(|len| len.checked_mul(times));
            match more.and_then(|more| elements.checked_add(more)) {
                Some(sum) => elements = sum,
                None => return malformed("a sequence has an impossible length"),
            }
            Ok(())
        })?;
        let of_sequences = count.saturating_mul(CONTAINER_ELEMENTS);
        self.elements = self.elements.saturating_add(elements).saturating_add(of_sequences);
        Ok(elements)
    }

    fn ints(&mut self, count: usize) -> Result<&'a ints::IntReader<'b>, Corrupt> {
        let column = &self.set.ints[self.ints];
        self.ints += 1;
        same(column.left(), count)?;
        Ok(column)
    }

    fn floats(&mut self, count: usize) -> Result<&'a floats::FloatReader<'b>, Corrupt> {
        let column = &self.set.floats[self.floats];
        self.floats += 1;
        same(column.left(), count)?;
        Ok(column)
    }

    fn strs(&mut self, count: usize) -> Result<(), Corrupt> {
        let column = &self.set.strs[self.strs];
        self.strs += 1;
        same(column.codes.as_ref().unwrap_or(&column.lengths).left(), count)
    }

    fn bits(&mut self, count: usize) -> Result<&'a super::bits::BitReader<'b>, Corrupt> {
        let column = &self.set.bits[self.bits];
        self.bits += 1;
        same(column.left(), count)?;
        Ok(column)
    }

    fn zero_sized(&mut self, count: usize) -> Result<(), Corrupt> {
        self.zero_sized = self.zero_sized.saturating_add(count);
        match self.zero_sized <= MAX_ZERO_SIZED {
            true => Ok(()),
            false => {
                malformed("a sequence claims more nulls or empty tuples than a frame may hold")
            }
        }
    }
}

fn same(have: usize, count: usize) -> Result<(), Corrupt> {
    match have == count {
        true => Ok(()),
        false => malformed("a column has more or fewer values than its rows need"),
    }
}

/// Passes each value to `take`, with the number of times that it occurs there. Equal values that take
/// no bytes are passed once.
fn each(
    column: &ints::IntReader<'_>,
    mut take: impl FnMut(i64, usize) -> Result<(), Corrupt>,
) -> Result<(), Corrupt> {
    match column.only_value() {
        Some(_) if column.left() == 0 => Ok(()),
        Some(value) => take(value, column.left()),
        None => column.look(|block| block.iter().try_for_each(|&v| take(v, 1))),
    }
}
