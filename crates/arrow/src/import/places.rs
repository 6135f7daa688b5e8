//! Where the values of selected slots are: which slots are null, and which entries of a dictionary, which
//! runs, arms and elements the others refer to.
//!
//! An array may come from a producer that nobody trusts. So each place is compared with the length of what
//! it is in. Only selected slots are looked at: what is below a null, or outside of a slice, may be anything.

use std::ops::Range;

use arrow_array::cast::AsArray;
use arrow_array::types::{
    ArrowDictionaryKeyType, Int8Type, Int16Type, Int32Type, Int64Type, RunEndIndexType, UInt8Type,
    UInt16Type, UInt32Type, UInt64Type,
};
use arrow_array::{Array, ArrayRef, UnionArray, make_array};
use arrow_buffer::ArrowNativeType;
use arrow_data::ArrayData;
use arrow_schema::{DataType, FieldRef};
use serow_core::memory;

use super::Read;
use crate::failure::wrong;
use crate::slots::{Selection, Validity};

/// Which of the selected slots have a value, or `None` if all have.
pub fn present(array: &ArrayRef, selection: &Selection) -> Read<Option<Validity>> {
    match array.data_type() {
        DataType::Dictionary(..) => {
            let validity = own(array, selection);
            let selected = validity.as_ref().map_or(selection, |validity| &validity.selection);
            let (entries, slots) = entries(array, selected)?;
            Ok(match (validity, present(&entries, &Selection::Listed(slots))?) {
                (validity, None) => validity,
                (None, Some(of_entries)) => Some(selection.keep(of_entries.bits)),
                (Some(validity), Some(of_entries)) => {
                    let mut of_entries = of_entries.bits.into_iter();
                    let bits = validity.bits.into_iter();
                    let bits =
                        bits.map(|bit| if bit == 1 { of_entries.next().unwrap_or(0) } else { 0 });
                    Some(selection.keep(bits.collect()))
                }
            })
        }
        DataType::RunEndEncoded(..) => {
            let (values, slots) = runs(array, selection)?;
            Ok(present(&values, &Selection::Listed(slots))?
                .map(|validity| selection.keep(validity.bits)))
        }
        DataType::Union(..) => {
            let arms = Arms::of(array.as_union());
            let mut bits = Vec::new();
            memory::resize(&mut bits, selection.len(), 1)?;
            for (id, _) in arms.union.fields().iter() {
                let child = arms.union.child(id);
                if !may_have_null(child) {
                    continue;
                }
                let (mut places, mut slots) = (Vec::new(), Vec::new());
                for (place, slot) in selection.iter().enumerate() {
                    let (of, at) = arms.at(slot)?;
                    if of == id {
                        memory::push(&mut places, place)?;
                        memory::push(&mut slots, at)?;
                    }
                }
                if let Some(validity) = present(child, &Selection::Listed(slots))? {
                    places
                        .into_iter()
                        .zip(validity.bits)
                        .for_each(|(place, bit)| bits[place] = bit);
                }
            }
            Ok(bits.contains(&0).then(|| selection.keep(bits)))
        }
        DataType::Null => {
            Ok(Some(selection.present(|_| false)).filter(|validity| !validity.bits.is_empty()))
        }
        _ => Ok(own(array, selection)),
    }
}

/// Which of the selected slots is the first that is null, by its place among them.
pub fn first_null(array: &ArrayRef, selection: &Selection) -> Read<Option<usize>> {
    let validity = present(array, selection)?;
    Ok(validity.and_then(|validity| validity.bits.iter().position(|&bit| bit == 0)))
}

/// The same as [`present`] by the null bits of the array itself.
fn own(array: &ArrayRef, selection: &Selection) -> Option<Validity> {
    let nulls = array.nulls().filter(|nulls| nulls.null_count() > 0)?;
    if let Selection::Range(range) = selection
        && nulls.slice(range.start, range.len()).null_count() == 0
    {
        return None;
    }
    Some(selection.present(|slot| nulls.is_valid(slot)))
}

/// Whether an array, or one within it, may have a null.
pub fn may_have_null(array: &ArrayRef) -> bool {
    fn of(data: &ArrayData) -> bool {
        data.nulls().is_some()
            || *data.data_type() == DataType::Null && !data.is_empty()
            || data.child_data().iter().any(of)
    }
    of(&array.to_data())
}

/// If an array is a dictionary or has runs: the array of its entries or of the values of its runs, and the
/// slots there that the selected slots refer to. No selected slot may be null.
pub fn resolved(array: &ArrayRef, selection: &Selection) -> Read<Option<(ArrayRef, Selection)>> {
    let (values, slots) = match array.data_type() {
        DataType::Dictionary(..) => entries(array, selection)?,
        DataType::RunEndEncoded(..) => runs(array, selection)?,
        _ => return Ok(None),
    };
    let selection = Selection::Listed(slots);
    Ok(Some(resolved(&values, &selection)?.unwrap_or((values, selection))))
}

/// The entries of a dictionary, and which of them the selected slots have.
pub fn entries(array: &ArrayRef, selection: &Selection) -> Read<(ArrayRef, Vec<usize>)> {
    let keys = array.as_any_dictionary().keys().data_type();
    match keys {
        DataType::Int8 => keys_of::<Int8Type>(array, selection),
        DataType::Int16 => keys_of::<Int16Type>(array, selection),
        DataType::Int32 => keys_of::<Int32Type>(array, selection),
        DataType::Int64 => keys_of::<Int64Type>(array, selection),
        DataType::UInt8 => keys_of::<UInt8Type>(array, selection),
        DataType::UInt16 => keys_of::<UInt16Type>(array, selection),
        DataType::UInt32 => keys_of::<UInt32Type>(array, selection),
        DataType::UInt64 => keys_of::<UInt64Type>(array, selection),
        other => wrong(format!("the keys of a dictionary can't be {other}")),
    }
}

fn keys_of<K: ArrowDictionaryKeyType>(
    array: &ArrayRef,
    selection: &Selection,
) -> Read<(ArrayRef, Vec<usize>)> {
    let dictionary = array.as_dictionary::<K>();
    let (keys, entries) = (dictionary.keys().values(), dictionary.values());
    let mut slots = memory::with_capacity(selection.len())?;
    for slot in selection.iter() {
        match keys[slot].to_usize().filter(|&key| key < entries.len()) {
            Some(key) => slots.push(key),
            None => {
                return wrong(format!(
                    "slot {slot} has the key {:?}, and its dictionary has {} entries",
                    keys[slot],
                    entries.len()
                ));
            }
        }
    }
    Ok((entries.clone(), slots))
}

/// The values of runs, and which of them the selected slots have.
fn runs(array: &ArrayRef, selection: &Selection) -> Read<(ArrayRef, Vec<usize>)> {
    let DataType::RunEndEncoded(ends, _) = array.data_type() else {
        return wrong(format!("{} has no runs", array.data_type()));
    };
    match ends.data_type() {
        DataType::Int16 => ends_of::<Int16Type>(array, selection),
        DataType::Int32 => ends_of::<Int32Type>(array, selection),
        _ => ends_of::<Int64Type>(array, selection),
    }
}

fn ends_of<R: RunEndIndexType>(
    array: &ArrayRef,
    selection: &Selection,
) -> Read<(ArrayRef, Vec<usize>)> {
    let array = array.as_run::<R>();
    let (ends, offset) = (array.run_ends().values(), array.run_ends().offset());
    let is_in = |run: usize, at: usize| ends.get(run).is_some_and(|end| at < end.as_usize());
    let mut slots = memory::with_capacity(selection.len())?;
    let mut run = 0;
    for slot in selection.iter() {
        let at = offset + slot;
        let begins_before = run == 0 || ends[run - 1].as_usize() <= at;
        if !begins_before || !is_in(run, at) {
            // The next run is the usual one.
            run = match begins_before && is_in(run + 1, at) {
                true => run + 1,
                false => ends.partition_point(|end| end.as_usize() <= at),
            };
        }
        if run >= array.values().len() {
            return wrong(format!("slot {slot} is behind the last of the runs"));
        }
        slots.push(run);
    }
    Ok((array.values().clone(), slots))
}

/// The arms of a union.
pub struct Arms<'a> {
    union: &'a UnionArray,
    /// The number of values of each arm, by its id.
    lens: [Option<usize>; 128],
}

impl<'a> Arms<'a> {
    pub fn of(union: &'a UnionArray) -> Arms<'a> {
        let mut lens = [None; 128];
        for (id, _) in union.fields().iter() {
            lens[id as usize] = Some(union.child(id).len());
        }
        Arms { union, lens }
    }

    /// The id of the arm that a slot has, and the slot in it.
    pub fn at(&self, slot: usize) -> Read<(i8, usize)> {
        let id = self.union.type_ids()[slot];
        let at = self.union.offsets().map_or(Some(slot), |offsets| offsets[slot].to_usize());
        match (usize::try_from(id).ok().and_then(|id| self.lens[id]), at) {
            (Some(len), Some(at)) if at < len => Ok((id, at)),
            (None, _) => wrong(format!("slot {slot} has the arm {id}, which its union lacks")),
            (Some(len), _) => {
                wrong(format!("slot {slot} is not within the {len} values of its arm {id}"))
            }
        }
    }
}

/// What selected slots refer to: the elements of lists or maps, or the values of an arm.
pub struct Elements {
    /// What each is.
    pub field: FieldRef,
    /// The array of all.
    pub values: ArrayRef,
    /// The slots of those that are referred to.
    pub selection: Selection,
}

/// The elements of the selected lists or maps of an array, or `None` if it has others. Passes each list's
/// number of elements to `each`.
pub fn elements(
    array: &ArrayRef,
    selection: &Selection,
    each: impl FnMut(usize) -> Read,
) -> Read<Option<Elements>> {
    fn by_ends<T: ArrowNativeType>(ends: &[T]) -> impl Fn(usize) -> (Option<usize>, Option<usize>) {
        |slot| (ends[slot].to_usize(), ends[slot + 1].to_usize())
    }
    fn by_sizes<T: ArrowNativeType>(
        begins: &[T],
        sizes: &[T],
    ) -> impl Fn(usize) -> (Option<usize>, Option<usize>) {
        |slot| {
            let begin = begins[slot].to_usize();
            (begin, begin.zip(sizes[slot].to_usize()).and_then(|(at, size)| at.checked_add(size)))
        }
    }
    let (DataType::List(field)
    | DataType::LargeList(field)
    | DataType::FixedSizeList(field, _)
    | DataType::ListView(field)
    | DataType::LargeListView(field)
    | DataType::Map(field, _)) = array.data_type()
    else {
        return Ok(None);
    };
    let data = array.to_data();
    let [values] = data.child_data() else { return Ok(None) };
    let len = values.len();
    let selection = match array.data_type() {
        DataType::LargeList(_) => ranges(selection, len, by_ends(data.buffer::<i64>(0)), each),
        DataType::ListView(_) => {
            ranges(selection, len, by_sizes(data.buffer::<i32>(0), data.buffer(1)), each)
        }
        DataType::LargeListView(_) => {
            ranges(selection, len, by_sizes(data.buffer::<i64>(0), data.buffer(1)), each)
        }
        DataType::FixedSizeList(_, size) => {
            let at = |slot: usize| {
                let begin = slot.checked_mul(size.as_usize());
                (begin, begin.and_then(|begin| begin.checked_add(size.as_usize())))
            };
            ranges(selection, len, at, each)
        }
        _ => ranges(selection, len, by_ends(data.buffer::<i32>(0)), each),
    }?;
    Ok(Some(Elements { field: field.clone(), values: make_array(values.clone()), selection }))
}

/// The slots from the begin to the end of each list that is selected.
fn ranges(
    selection: &Selection,
    len: usize,
    at: impl Fn(usize) -> (Option<usize>, Option<usize>),
    mut each: impl FnMut(usize) -> Read,
) -> Read<Selection> {
    let mut within = Selection::Range(0..0);
    for slot in selection.iter() {
        let range = range(slot, at(slot), len)?;
        each(range.len())?;
        within.append(range)?;
    }
    Ok(within)
}

/// The range from a begin to an end among `len` values, or bytes, of an array.
pub fn range(
    slot: usize,
    (begin, end): (Option<usize>, Option<usize>),
    len: usize,
) -> Read<Range<usize>> {
    match (begin, end) {
        (Some(begin), Some(end)) if begin <= end && end <= len => Ok(begin..end),
        _ => wrong(format!(
            "the offsets of slot {slot} are not in order, or not within the {len} that it has"
        )),
    }
}
