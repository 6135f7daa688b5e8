//! Arrays to columns.
//!
//! An array has a slot for each of its parent's. Serow's columns hold the present values, so each kernel
//! takes those at the [`Picks`], the slots with a value. Nothing is trusted: an array whose values are
//! not of its type is an error.

mod logical;
mod narrow;
mod places;
mod strings;
mod tensors;

use std::borrow::Cow;
use std::collections::HashMap;
use std::ops::Range;
use std::sync::Arc;

use arrow_array::cast::AsArray;
use arrow_array::types::{
    Float16Type, Float32Type, Float64Type, Int8Type, Int16Type, Int32Type, Int64Type, UInt8Type,
    UInt16Type, UInt32Type,
};
use arrow_array::{Array, ArrayRef, RecordBatch};
use arrow_schema::{DataType, Field, Fields, Schema as ArrowSchema};
use serow_core::error::{ErrorKind, Fault};
use serow_core::layout::batch::{Batch, StrColumn};
use serow_core::limits::{CONTAINER_ELEMENTS, MAX_FRAME_ROWS, MAX_ROW_ELEMENTS};
use serow_core::memory;
use serow_core::plan::{Numbered, number};
use serow_core::program::Program;
use serow_core::schema::{Container, Enum, Schema, Type};
use serow_core::value::Text;
use serow_core::{Error, Result};

use self::narrow::{narrowed, narrowed_children};
use self::places::{Arms, Elements, elements, entries, present, resolved};
use self::strings::Strings;
use crate::slots::Picks;
use crate::types::{self, Holds, has_columns, row_type};

/// Reads batches of one schema.
#[derive(Debug)]
pub struct Import {
    root: Type,
    /// Whether each row has a value of each column. Otherwise there is one column of rows.
    has_columns: bool,
}

impl Import {
    /// # Errors
    /// A schema error that names a column whose type serow lacks.
    pub fn new(schema: &ArrowSchema) -> Result<Import> {
        let root = row_type(schema)?;
        Ok(Import { has_columns: has_columns(&root), root })
    }

    /// Makes each row a tuple of the columns, which may have one name twice.
    ///
    /// # Errors
    /// See [`Import::new`].
    pub fn of_tuples(schema: &ArrowSchema) -> Result<Import> {
        let types = schema.fields().iter().map(|field| types::column_type(field));
        let root = Type::Fixed(Container::Tuple, types.collect::<Result<_>>()?);
        Ok(Import { root, has_columns: true })
    }

    /// Reads batches of this schema as rows of the schema of `program`, if there is one: by the names of
    /// the columns, or in their order if the rows are tuples.
    ///
    /// # Errors
    /// See [`Import::new`].
    pub fn of_rows(schema: &ArrowSchema, program: Option<&Arc<Program>>) -> Result<Import> {
        match program.map(|program| program.root()) {
            Some(Type::Fixed(Container::Tuple, _)) => Import::of_tuples(schema),
            _ => Import::new(schema),
        }
    }

    /// Reads batches with one column, whose values are the rows.
    ///
    /// # Errors
    /// See [`Import::new`].
    pub fn of_values(field: &Field) -> Result<Import> {
        Ok(Import { root: types::column_type(field)?, has_columns: false })
    }

    /// The program of the rows of `batches`, whose optionals have nulls there.
    ///
    /// # Errors
    /// A schema error if the type is too large. A decode error if an array is damaged.
    pub fn program(&self, batches: &[RecordBatch]) -> Result<Arc<Program>> {
        let picks: Vec<_> = batches.iter().map(|batch| Picks::Range(0..batch.num_rows())).collect();
        let rows = || batches.iter().map(RecordBatch::columns).zip(&picks);
        let ty = match self.has_columns {
            true => narrowed_children(&self.root, &rows().collect::<Vec<_>>(), "column"),
            false => {
                let values = rows().filter_map(|(columns, picks)| Some((columns.first()?, picks)));
                narrowed(&self.root, &values.collect::<Vec<_>>())
            }
        };
        let ty = ty.map_err(|why| match why {
            Stopped::Fault(fault) => fault.into_error(ErrorKind::Decode, "the columns"),
            Stopped::Value(why) => Error::decode(why),
        })?;
        Ok(Program::shared(&Schema::new(ty)?))
    }

    /// Reads the rows of `batch` from row `from` on, as many as make a frame, into the columns of
    /// `into`. `program` must come from [`Import::program`] for batches that include `batch`.
    ///
    /// # Errors
    /// A decode error that names the column whose values are not of its type. A limit error if a row has
    /// too many elements or bytes.
    pub fn read(
        &self,
        program: &Arc<Program>,
        batch: &RecordBatch,
        from: usize,
        into: &mut Batch,
    ) -> Result<()> {
        let mut rows = (batch.num_rows() - from).min(MAX_FRAME_ROWS);
        loop {
            into.reset(program);
            match self.fill(program.root(), batch, from..from + rows, into) {
                Err(error) if error.kind() == ErrorKind::Limit && rows > 1 => rows /= 2,
                read => return read,
            }
        }
    }

    /// Appends `rows` of `batch` to `into`, which must have the columns of `root`.
    fn fill(
        &self,
        root: &Type,
        batch: &RecordBatch,
        rows: Range<usize>,
        into: &mut Batch,
    ) -> Result<()> {
        let node = number(root);
        into.rows += rows.len();
        let mut reading = Reading { into, elements: 0 };
        let (fields, columns, picks) =
            (batch.schema_ref().fields(), batch.columns(), Picks::Range(rows));
        let named = |(name, why): (&str, Stopped)| why.in_column(name);
        if self.has_columns {
            return reading.children(&node, fields, columns, &picks).map_err(named);
        }
        let ([field], [column]) = (&fields[..], columns) else {
            return Err(Error::decode(
                "rows of single values have one column, and these have others",
            ));
        };
        reading.part(&node, field, column, &picks).map_err(|why| named((field.name(), why)))
    }
}

/// Why an array was not read.
enum Stopped {
    Fault(Fault),
    /// What is wrong with the column.
    Value(Cow<'static, str>),
}

impl From<Fault> for Stopped {
    fn from(fault: Fault) -> Stopped {
        Stopped::Fault(fault)
    }
}

impl Stopped {
    /// The same, of a column or field with this name.
    fn within(self, what: &str, name: &str) -> Stopped {
        match self {
            Stopped::Value(why) => Stopped::Value(format!("{what} {name}: {why}").into()),
            fault => fault,
        }
    }

    fn in_column(self, name: &str) -> Error {
        let at = format_args!("column {name}").to_string();
        match self {
            Stopped::Fault(fault) => fault.into_error(ErrorKind::Decode, at),
            Stopped::Value(why) => Error::decode(why).within(at),
        }
    }
}

type Read<T = ()> = std::result::Result<T, Stopped>;

fn wrong<T>(why: impl Into<Cow<'static, str>>) -> Read<T> {
    Err(Stopped::Value(why.into()))
}

/// The array is of another type than its field. [`row_type`] names the fields that can be read.
fn unreadable<T>(array: &dyn Array, node: &Numbered<'_>) -> Read<T> {
    wrong(format!("values of Arrow's {} can't be read as {}", array.data_type(), node.ty))
}

const TOO_MANY: Fault = Fault::Limit("a row has more elements than a row may have");

const TOO_MUCH_TEXT: Fault = Fault::Limit("the text of one column exceeds 4 GiB");

struct Reading<'b> {
    into: &'b mut Batch,
    /// Elements of all sequences, where each sequence counts as some more.
    elements: usize,
}

impl Reading<'_> {
    fn children<'f>(
        &mut self,
        node: &Numbered<'_>,
        fields: &'f Fields,
        arrays: &[ArrayRef],
        picks: &Picks,
    ) -> std::result::Result<(), (&'f str, Stopped)> {
        let columns = types::children(node.ty);
        if columns.len() != arrays.len() || fields.len() != arrays.len() {
            return Err(("*", Stopped::Value("a struct has other fields than its type".into())));
        }
        let mut parts = node.within.iter();
        for (i, column) in columns.iter().enumerate() {
            let (field, array) = (&fields[i], &arrays[i]);
            let read =
                match (column.holds, column.holds.needs_part().then(|| parts.next()).flatten()) {
                    (Holds::Values(_), Some(part)) => self.part(part, field, array, picks),
                    (Holds::Maybe(_), Some(part)) => {
                        let is_nullable =
                            matches!(part.ty, Type::Optional(_) | Type::Null | Type::Never);
                        let presence = is_nullable.then(|| arrays.get(i + 1)).flatten();
                        self.maybe(part, field, array, presence, picks)
                    }
                    _ => Ok(()),
                };
            read.map_err(|why| (field.name().as_str(), why))?;
        }
        Ok(())
    }

    /// A field that may be missing. `presence` says where it is there, if it may also be null.
    fn maybe(
        &mut self,
        part: &Numbered<'_>,
        field: &Field,
        array: &ArrayRef,
        presence: Option<&ArrayRef>,
        picks: &Picks,
    ) -> Read {
        let Some(column) = part.maybe else { return unreadable(array, part) };
        let there = match presence {
            None => match present(array, picks)? {
                Some(there) => there,
                None => picks.present(|_| true),
            },
            Some(presence) => {
                let Some(bits) = presence.as_boolean_opt() else {
                    return unreadable(presence, part);
                };
                picks.present(|i| bits.is_valid(i) && bits.value(i))
            }
        };
        memory::extend(&mut self.into.bits[column as usize], &there.bits)?;
        match presence {
            None => self.value(part, field, array, &there.picks),
            Some(_) => self.part(part, field, array, &there.picks),
        }
    }

    /// A part of the rows, optional or not.
    fn part(
        &mut self,
        node: &Numbered<'_>,
        field: &Field,
        array: &ArrayRef,
        picks: &Picks,
    ) -> Read {
        let there = match node.ty {
            Type::Null | Type::Never => None,
            _ => present(array, picks)?,
        };
        if !matches!(node.ty, Type::Optional(_)) {
            let bits = there.iter().flat_map(|there| &there.bits);
            if let Some((slot, _)) = picks.iter().zip(bits).find(|(_, bit)| **bit == 0) {
                return wrong(format!("slot {slot} is null, and its type {} has no null", node.ty));
            }
            return self.value(node, field, array, picks);
        }
        let bits = &mut self.into.bits[node.first.bits as usize];
        match there {
            None => {
                memory::resize(bits, bits.len() + picks.len(), 1)?;
                self.value(&node.within[0], field, array, picks)
            }
            Some(there) => {
                memory::extend(bits, &there.bits)?;
                self.value(&node.within[0], field, array, &there.picks)
            }
        }
    }

    /// Values that are not null.
    fn value(
        &mut self,
        node: &Numbered<'_>,
        field: &Field,
        array: &ArrayRef,
        picks: &Picks,
    ) -> Read {
        // A dictionary of nulls may have no entries for its keys.
        if picks.len() == 0 || matches!(node.ty, Type::Null | Type::Never) {
            return Ok(());
        }
        if let (Type::Str, DataType::Dictionary(..)) = (node.ty, array.data_type()) {
            let (entries, slots) = entries(array, picks)?;
            if entries.len() <= slots.len() && Strings::of(&entries).is_some() {
                return self.dictionary(node, &entries, &slots);
            }
        }
        if let Some((values, picks)) = resolved(array, picks)? {
            // The values of runs have a field of their own.
            let field = match array.data_type() {
                DataType::RunEndEncoded(_, of) => of,
                _ => field,
            };
            return self.value(node, field, &values, &picks);
        }
        // A union of one arm is that arm.
        if matches!(array.data_type(), DataType::Union(..)) && !matches!(node.ty, Type::Union(_)) {
            return self.only_arm(node, array, picks);
        }
        match node.ty {
            Type::Null | Type::Never | Type::Optional(_) | Type::Open(_) => Ok(()),
            Type::Bool => self.bools(node, array, picks),
            Type::I64 => self.ints(node, 0, array, picks),
            Type::F64 => self.floats(node, array, picks),
            Type::Str => self.text(node, array, picks),
            Type::Logical(ty) => self.logical(*ty, node, field, array, picks),
            Type::Enum(of) => self.members(of, node, array, picks),
            Type::Fixed(..) | Type::Struct(_) => {
                let Some(of) = array.as_struct_opt() else { return unreadable(array, node) };
                let read = self.children(node, of.fields(), of.columns(), picks);
                read.map_err(|(name, why)| why.within("field", name))
            }
            Type::Sequence(..) => {
                let of = self.elements(node, array, picks)?;
                self.part(&node.within[0], &of.field, &of.values, &of.picks)
            }
            Type::Map(..) => {
                let Elements { values, picks, .. } = self.elements(node, array, picks)?;
                let Some(entries) = values.as_struct_opt() else { return unreadable(array, node) };
                let ([key, value], [keys, values]) = (&entries.fields()[..], entries.columns())
                else {
                    return unreadable(array, node);
                };
                if picks.iter().any(|slot| entries.is_null(slot)) {
                    return wrong("an entry of a map is null");
                }
                self.part(&node.within[0], key, keys, &picks)?;
                self.part(&node.within[1], value, values, &picks)
            }
            Type::Union(arms) => self.union(arms, node, array, picks),
        }
    }

    fn int_column(&mut self, node: &Numbered<'_>, n: u32) -> &mut Vec<i64> {
        &mut self.into.ints[(node.first.ints + n) as usize]
    }

    fn str_column(&mut self, node: &Numbered<'_>) -> &mut StrColumn {
        &mut self.into.strs[node.first.strs as usize]
    }

    fn bools(&mut self, node: &Numbered<'_>, array: &ArrayRef, picks: &Picks) -> Read {
        let bits = &mut self.into.bits[node.first.bits as usize];
        memory::reserve(bits, picks.len())?;
        match array.data_type() {
            DataType::Boolean => {
                let values = array.as_boolean().values();
                bits.extend(picks.iter().map(|slot| u8::from(values.value(slot))));
            }
            DataType::Int8 => {
                let values = array.as_primitive::<Int8Type>().values();
                bits.extend(picks.iter().map(|slot| u8::from(values[slot] != 0)));
            }
            _ => return unreadable(array, node),
        }
        Ok(())
    }

    fn ints(&mut self, node: &Numbered<'_>, n: u32, array: &ArrayRef, picks: &Picks) -> Read {
        let column = self.int_column(node, n);
        memory::reserve(column, picks.len())?;
        macro_rules! widened {
            ($($data_type:pat => $ty:ty),*) => {
                match array.data_type() {
                    $($data_type => {
                        let values = array.as_primitive::<$ty>().values();
                        column.extend(picks.iter().map(|slot| i64::from(values[slot])));
                    })*
                    _ => return unreadable(array, node),
                }
            };
        }
        if let (Some(values), Picks::Range(range)) = (array.as_primitive_opt::<Int64Type>(), picks)
        {
            column.extend_from_slice(&values.values()[range.clone()]);
            return Ok(());
        }
        widened! {
            DataType::Int64 => Int64Type,
            DataType::Int32 => Int32Type,
            DataType::Int16 => Int16Type,
            DataType::Int8 => Int8Type,
            DataType::UInt32 => UInt32Type,
            DataType::UInt16 => UInt16Type,
            DataType::UInt8 => UInt8Type
        }
        Ok(())
    }

    fn floats(&mut self, node: &Numbered<'_>, array: &ArrayRef, picks: &Picks) -> Read {
        let column = &mut self.into.floats[node.first.floats as usize];
        memory::reserve(column, picks.len())?;
        match array.data_type() {
            DataType::Float64 => {
                let values = array.as_primitive::<Float64Type>().values();
                match picks {
                    Picks::Range(range) => column.extend_from_slice(&values[range.clone()]),
                    Picks::Listed(slots) => column.extend(slots.iter().map(|&slot| values[slot])),
                }
            }
            DataType::Float32 => {
                let values = array.as_primitive::<Float32Type>().values();
                column.extend(picks.iter().map(|slot| f64::from(values[slot])));
            }
            DataType::Float16 => {
                let values = array.as_primitive::<Float16Type>().values();
                column.extend(picks.iter().map(|slot| values[slot].to_f64()));
            }
            _ => return unreadable(array, node),
        }
        Ok(())
    }

    fn text(&mut self, node: &Numbered<'_>, array: &ArrayRef, picks: &Picks) -> Read {
        let Some(strings) = Strings::of(array) else { return unreadable(array, node) };
        let texts = strings.all_texts(picks)?;
        Ok(self.str_column(node).extend(texts.into_iter())?)
    }

    /// Text by the entries of a dictionary, so that each becomes an object once. `picked` has the entry of
    /// each value.
    fn dictionary(&mut self, node: &Numbered<'_>, entries: &ArrayRef, picked: &[usize]) -> Read {
        let Some(strings) = Strings::of(entries) else { return unreadable(entries, node) };
        let mut is_picked = Vec::new();
        memory::resize(&mut is_picked, entries.len(), false)?;
        picked.iter().for_each(|&entry| is_picked[entry] = true);
        let (mut ends, mut all) = (memory::with_capacity(entries.len())?, Vec::new());
        for (entry, is_picked) in is_picked.into_iter().enumerate() {
            if is_picked {
                memory::extend(&mut all, strings.text(entry)?)?;
            }
            ends.push(u32::try_from(all.len()).map_err(|_| TOO_MUCH_TEXT)?);
        }
        let column = self.str_column(node);
        column.set_dictionary(&ends, &all)?;
        for &entry in picked {
            column.push(Text::Entry(entry as u32))?;
        }
        Ok(())
    }

    fn bytes(&mut self, node: &Numbered<'_>, array: &ArrayRef, picks: &Picks) -> Read {
        let Some(strings) = Strings::of(array) else { return unreadable(array, node) };
        let bytes = strings.all_bytes(picks)?;
        Ok(self.str_column(node).extend(bytes.into_iter())?)
    }

    fn members(&mut self, of: &Enum, node: &Numbered<'_>, array: &ArrayRef, picks: &Picks) -> Read {
        let Some(strings) = Strings::of(array) else { return unreadable(array, node) };
        let names = of.members.iter().enumerate().map(|(i, name)| (name.as_bytes(), i as i64));
        let names: HashMap<&[u8], i64> = names.collect();
        let column = self.int_column(node, 0);
        for slot in picks.iter() {
            let bytes = strings.bytes(slot)?;
            match names.get(bytes) {
                Some(&member) => memory::push(column, member)?,
                None => {
                    let text = String::from_utf8_lossy(bytes).into_owned();
                    return wrong(format!(
                        "slot {slot} has {text:?}, which is no member of {}",
                        node.ty
                    ));
                }
            }
        }
        Ok(())
    }

    /// The elements of lists and maps. Appends their number in each.
    fn elements(&mut self, node: &Numbered<'_>, array: &ArrayRef, picks: &Picks) -> Read<Elements> {
        let column = &mut self.into.ints[node.first.ints as usize];
        memory::reserve(column, picks.len())?;
        let count = &mut self.elements;
        let of = elements(array, picks, |len| {
            *count = count.saturating_add(len + CONTAINER_ELEMENTS);
            if *count > MAX_ROW_ELEMENTS {
                return Err(TOO_MANY.into());
            }
            column.push(len as i64);
            Ok(())
        })?;
        of.map_or_else(|| unreadable(array, node), Ok)
    }

    fn only_arm(&mut self, node: &Numbered<'_>, array: &ArrayRef, picks: &Picks) -> Read {
        for (_, of) in by_arm(std::slice::from_ref(node.ty), array, picks, |_| Ok(()))? {
            self.value(node, &of.field, &of.values, &of.picks)?;
        }
        Ok(())
    }

    fn union(
        &mut self,
        arms: &[Type],
        node: &Numbered<'_>,
        array: &ArrayRef,
        picks: &Picks,
    ) -> Read {
        let column = &mut self.into.ints[node.first.ints as usize];
        memory::reserve(column, picks.len())?;
        let of_arms = by_arm(arms, array, picks, |arm| {
            column.push(arm as i64);
            Ok(())
        })?;
        for (arm, of) in of_arms {
            self.value(&node.within[arm], &of.field, &of.values, &of.picks)?;
        }
        Ok(())
    }
}

/// The values of the picked slots of a union by the arms that they have, which are of `types`. Passes the
/// arm of each slot to `each`.
fn by_arm(
    types: &[Type],
    array: &ArrayRef,
    picks: &Picks,
    mut each: impl FnMut(usize) -> Read,
) -> Read<Vec<(usize, Elements)>> {
    let Some(union) = array.as_union_opt() else {
        return wrong(format!("values of Arrow's {} are no union", array.data_type()));
    };
    let (arms, fields) = (Arms::of(union), union.fields().iter().collect::<Vec<_>>());
    let arm_of = arms_of(types, &fields);
    let mut slots = vec![Vec::new(); types.len()];
    for slot in picks.iter() {
        let (id, at) = arms.at(slot)?;
        let Some(&arm) = arm_of.get(&id).filter(|&&arm| arm < types.len()) else {
            return wrong(format!("slot {slot} has the arm {id}, which its type lacks"));
        };
        each(arm)?;
        memory::push(&mut slots[arm], at)?;
    }
    let of_arms = fields.into_iter().filter_map(|(id, field)| {
        let arm = *arm_of.get(&id).filter(|&&arm| arm < types.len())?;
        let picks = Picks::Listed(std::mem::take(&mut slots[arm]));
        Some((arm, Elements { field: field.clone(), values: union.child(id).clone(), picks }))
    });
    Ok(of_arms.collect())
}

/// The arm of each child of a union, by the child's id. It is the one of the child's type, or the one at
/// its place, as `arrow_schema` puts it.
fn arms_of(arms: &[Type], fields: &[(i8, &Arc<Field>)]) -> HashMap<i8, usize> {
    let with_values = || fields.iter().filter(|(_, field)| *field.data_type() != DataType::Null);
    let mut by_type = HashMap::new();
    let mut is_taken = vec![false; arms.len()];
    for (id, field) in with_values() {
        let ty = types::natural(field).ok();
        let arm = ty.and_then(|ty| arms.iter().position(|arm| arm == ty.required()));
        match arm {
            Some(arm) if !std::mem::replace(&mut is_taken[arm], true) => by_type.insert(*id, arm),
            _ => return with_values().enumerate().map(|(arm, (id, _))| (*id, arm)).collect(),
        };
    }
    by_type
}
