//! Arrays to columns.
//!
//! An array has a slot for each of its parent's. Serow's columns hold the present values, so each kernel
//! takes those at the [`Selection`], the slots with a value. Nothing is trusted: an array whose values are
//! not of its type is an error.

mod logical;
mod narrow;
mod places;
mod strings;
mod tensors;

use std::collections::HashMap;
use std::ops::Range;
use std::sync::Arc;

use arrow_array::cast::AsArray;
use arrow_array::types::{Float16Type, Int8Type};
use arrow_array::{Array, ArrayRef, ArrowPrimitiveType, RecordBatch};
use arrow_buffer::ArrowNativeType;
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
use crate::failure::{Converted, Failure, wrong};
use crate::slots::Selection;
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

    /// Reads batches as rows of the type `root`, and structs in them by the order of their fields. Arrays that
    /// have no values of this type are errors when they are read.
    pub fn of_type(root: &Type) -> Import {
        Import { has_columns: has_columns(root), root: root.clone() }
    }

    /// The program of the rows of `batches`, whose optionals have nulls there.
    ///
    /// # Errors
    /// A schema error if the type is too large. A decode error if an array is damaged.
    pub fn program(&self, batches: &[RecordBatch]) -> Result<Arc<Program>> {
        let selection: Vec<_> =
            batches.iter().map(|batch| Selection::Range(0..batch.num_rows())).collect();
        let rows = || batches.iter().map(RecordBatch::columns).zip(&selection);
        let ty = match self.has_columns {
            true => narrowed_children(&self.root, &rows().collect::<Vec<_>>(), "column"),
            false => {
                let values =
                    rows().filter_map(|(columns, selection)| Some((columns.first()?, selection)));
                narrowed(&self.root, &values.collect::<Vec<_>>())
            }
        };
        let ty = ty.map_err(|why| why.into_error(ErrorKind::Decode, "the columns"))?;
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
        let (fields, columns, selection) =
            (batch.schema_ref().fields(), batch.columns(), Selection::Range(rows));
        let named = |(name, why): (&str, Failure)| {
            why.within("column", name).into_error(ErrorKind::Decode, format_args!("column {name}"))
        };
        if self.has_columns {
            return reading.children(&node, fields, columns, &selection).map_err(named);
        }
        let ([field], [array]) = (&fields[..], columns) else {
            return Err(Error::decode(
                "rows of single values have one column, and these have others",
            ));
        };
        let part = Part { node: &node, field, array, selection: &selection };
        reading.part(part).map_err(|why| named((field.name(), why)))
    }
}

type Read<T = ()> = Converted<T>;

const TOO_MANY: Fault = Fault::Limit("a row has more elements than a row may have");

const TOO_MUCH_TEXT: Fault = Fault::Limit("the text of one column exceeds 4 GiB");

/// A part of the rows, and the array of its values: its field, and which of its slots count.
#[derive(Clone, Copy)]
struct Part<'a> {
    node: &'a Numbered<'a>,
    field: &'a Field,
    array: &'a ArrayRef,
    selection: &'a Selection,
}

impl<'a> Part<'a> {
    /// The type of the array.
    fn ty(&self) -> &'a DataType {
        self.array.data_type()
    }

    /// The array is of another type than its field. [`row_type`] names the fields that can be read.
    fn unreadable<T>(&self) -> Read<T> {
        wrong(format!("values of Arrow's {} can't be read as {}", self.ty(), self.node.ty))
    }

    /// Appends the values, which are stored as `T`.
    fn append<T: ArrowNativeType + Into<U>, U>(&self, to: &mut Vec<U>) -> Read {
        memory::reserve(to, self.selection.len())?;
        let data = self.array.to_data();
        let values = data.buffer::<T>(0);
        match self.selection {
            Selection::Range(range) => to.extend(values[range.clone()].iter().map(|&v| v.into())),
            Selection::Listed(slots) => to.extend(slots.iter().map(|&slot| values[slot].into())),
        }
        Ok(())
    }

    /// Appends the values, which are stored as integers that have 64 bits with a sign at most.
    fn append_integers(&self, to: &mut Vec<i64>) -> Read {
        match (self.ty().primitive_width(), self.ty().is_unsigned_integer()) {
            (Some(1), false) => self.append::<i8, _>(to),
            (Some(1), true) => self.append::<u8, _>(to),
            (Some(2), false) => self.append::<i16, _>(to),
            (Some(2), true) => self.append::<u16, _>(to),
            (Some(4), false) => self.append::<i32, _>(to),
            (Some(4), true) => self.append::<u32, _>(to),
            (Some(8), false) => self.append::<i64, _>(to),
            _ => self.unreadable(),
        }
    }
}

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
        selection: &Selection,
    ) -> std::result::Result<(), (&'f str, Failure)> {
        let columns = types::children(node.ty);
        if columns.len() != arrays.len() || fields.len() != arrays.len() {
            return Err(("*", Failure::Value("a struct has other fields than its type".into())));
        }
        let mut parts = node.within.iter();
        for (i, column) in columns.iter().enumerate() {
            let (field, array) = (&fields[i], &arrays[i]);
            let read =
                match (column.holds, column.holds.needs_part().then(|| parts.next()).flatten()) {
                    (Holds::Values(_), Some(node)) => {
                        self.part(Part { node, field, array, selection })
                    }
                    (Holds::Maybe(_), Some(node)) => {
                        let is_nullable =
                            matches!(node.ty, Type::Optional(_) | Type::Null | Type::Never);
                        let presence = is_nullable.then(|| arrays.get(i + 1)).flatten();
                        self.maybe(Part { node, field, array, selection }, presence)
                    }
                    _ => Ok(()),
                };
            read.map_err(|why| (field.name().as_str(), why))?;
        }
        Ok(())
    }

    /// A field that may be missing. `presence` says where it is there, if it may also be null.
    fn maybe(&mut self, part: Part<'_>, presence: Option<&ArrayRef>) -> Read {
        let Some(column) = part.node.maybe else { return part.unreadable() };
        let there = match presence {
            None => match present(part.array, part.selection)? {
                Some(there) => there,
                None => part.selection.present(|_| true),
            },
            Some(presence) => {
                let Some(bits) = presence.as_boolean_opt() else {
                    return Part { array: presence, ..part }.unreadable();
                };
                part.selection.present(|i| bits.is_valid(i) && bits.value(i))
            }
        };
        memory::extend(&mut self.into.bits[column as usize], &there.bits)?;
        let part = Part { selection: &there.selection, ..part };
        match presence {
            None => self.value(part),
            Some(_) => self.part(part),
        }
    }

    /// A part of the rows, optional or not.
    fn part(&mut self, part: Part<'_>) -> Read {
        let Part { node, selection, .. } = part;
        let there = match node.ty {
            Type::Null | Type::Never => None,
            _ => present(part.array, selection)?,
        };
        if !matches!(node.ty, Type::Optional(_)) {
            let bits = there.iter().flat_map(|there| &there.bits);
            if let Some((slot, _)) = selection.iter().zip(bits).find(|(_, bit)| **bit == 0) {
                return wrong(format!("slot {slot} is null, and its type {} has no null", node.ty));
            }
            return self.value(part);
        }
        let bits = &mut self.into.bits[node.first.bits as usize];
        let part = Part { node: &node.within[0], ..part };
        match there {
            None => {
                memory::resize(bits, bits.len() + selection.len(), 1)?;
                self.value(part)
            }
            Some(there) => {
                memory::extend(bits, &there.bits)?;
                self.value(Part { selection: &there.selection, ..part })
            }
        }
    }

    /// Values that are not null.
    fn value(&mut self, part: Part<'_>) -> Read {
        let Part { node, field, array, selection } = part;
        // A dictionary of nulls may have no entries for its keys.
        if selection.len() == 0 || matches!(node.ty, Type::Null | Type::Never) {
            return Ok(());
        }
        if let (Type::Str, DataType::Dictionary(..)) = (node.ty, array.data_type()) {
            let (entries, slots) = entries(array, selection)?;
            if entries.len() <= slots.len()
                && let Some(strings) = Strings::of(&entries)
            {
                return self.dictionary(node, &strings, entries.len(), &slots);
            }
        }
        if let Some((values, selection)) = resolved(array, selection)? {
            // The values of runs have a field of their own.
            let field = match array.data_type() {
                DataType::RunEndEncoded(_, of) => of,
                _ => field,
            };
            return self.value(Part { node, field, array: &values, selection: &selection });
        }
        // A union of one arm is that arm.
        if matches!(array.data_type(), DataType::Union(..)) && !matches!(node.ty, Type::Union(_)) {
            let of_arms = by_arm(std::slice::from_ref(node.ty), array, selection, |_| Ok(()))?;
            return of_arms.iter().try_for_each(|(_, of)| self.value(of.part(node)));
        }
        match node.ty {
            Type::Null | Type::Never | Type::Optional(_) | Type::Open(_) => Ok(()),
            Type::Bool => self.bools(part),
            Type::I64 => self.ints(0, part),
            Type::F64 => self.floats(0, part),
            Type::Str => {
                let Some(strings) = Strings::of(array) else { return part.unreadable() };
                Ok(self.str_column(node).extend(strings.all_texts(selection)?.into_iter())?)
            }
            Type::Logical(ty) => self.logical(*ty, part),
            Type::Enum(of) => self.members(of, part),
            Type::Fixed(..) | Type::Struct(_) => {
                let Some(of) = array.as_struct_opt() else { return part.unreadable() };
                let read = self.children(node, of.fields(), of.columns(), selection);
                read.map_err(|(name, why)| why.within("field", name))
            }
            Type::Sequence(..) => {
                let of = self.elements(part)?;
                self.part(of.part(&node.within[0]))
            }
            Type::Map(..) => {
                let Elements { values, selection, .. } = self.elements(part)?;
                let Some(entries) = values.as_struct_opt() else { return part.unreadable() };
                let ([_, _], [_, _]) = (&entries.fields()[..], entries.columns()) else {
                    return part.unreadable();
                };
                if selection.iter().any(|slot| entries.is_null(slot)) {
                    return wrong("an entry of a map is null");
                }
                let parts = node.within.iter().zip(entries.fields()).zip(entries.columns());
                parts.into_iter().try_for_each(|((node, field), array)| {
                    self.part(Part { node, field, array, selection: &selection })
                })
            }
            Type::Union(arms) => {
                let column = &mut self.into.ints[node.first.ints as usize];
                memory::reserve(column, selection.len())?;
                let of_arms = by_arm(arms, array, selection, |arm| {
                    column.push(arm as i64);
                    Ok(())
                })?;
                of_arms.iter().try_for_each(|(arm, of)| self.value(of.part(&node.within[*arm])))
            }
        }
    }

    fn int_column(&mut self, node: &Numbered<'_>, n: u32) -> &mut Vec<i64> {
        &mut self.into.ints[(node.first.ints + n) as usize]
    }

    fn str_column(&mut self, node: &Numbered<'_>) -> &mut StrColumn {
        &mut self.into.strs[node.first.strs as usize]
    }

    fn bools(&mut self, part: Part<'_>) -> Read {
        let (array, selection) = (part.array, part.selection);
        let bits = &mut self.into.bits[part.node.first.bits as usize];
        memory::reserve(bits, selection.len())?;
        match array.data_type() {
            DataType::Boolean => {
                let values = array.as_boolean().values();
                bits.extend(selection.iter().map(|slot| u8::from(values.value(slot))));
            }
            DataType::Int8 => {
                let values = array.as_primitive::<Int8Type>().values();
                bits.extend(selection.iter().map(|slot| u8::from(values[slot] != 0)));
            }
            _ => return part.unreadable(),
        }
        Ok(())
    }

    fn ints(&mut self, n: u32, part: Part<'_>) -> Read {
        match part.ty().is_integer() {
            true => part.append_integers(self.int_column(part.node, n)),
            false => part.unreadable(),
        }
    }

    fn floats(&mut self, n: u32, part: Part<'_>) -> Read {
        let column = &mut self.into.floats[(part.node.first.floats + n) as usize];
        match part.ty() {
            DataType::Float64 => part.append::<f64, _>(column),
            DataType::Float32 => part.append::<f32, _>(column),
            DataType::Float16 => {
                part.append::<<Float16Type as ArrowPrimitiveType>::Native, _>(column)
            }
            _ => part.unreadable(),
        }
    }

    /// Text by the entries of a dictionary, so that each becomes an object once. There are `count` of them;
    /// `selected` has the entry of each value.
    fn dictionary(
        &mut self,
        node: &Numbered<'_>,
        entries: &Strings<'_>,
        count: usize,
        selected: &[usize],
    ) -> Read {
        let mut is_picked = Vec::new();
        memory::resize(&mut is_picked, count, false)?;
        selected.iter().for_each(|&entry| is_picked[entry] = true);
        let (mut ends, mut all) = (memory::with_capacity(count)?, Vec::new());
        for (entry, is_picked) in is_picked.into_iter().enumerate() {
            if is_picked {
                memory::extend(&mut all, entries.text(entry)?)?;
            }
            ends.push(u32::try_from(all.len()).map_err(|_| TOO_MUCH_TEXT)?);
        }
        let column = self.str_column(node);
        column.set_dictionary(&ends, &all)?;
        for &entry in selected {
            column.push(Text::Entry(entry as u32))?;
        }
        Ok(())
    }

    fn bytes(&mut self, part: Part<'_>) -> Read {
        let Some(strings) = Strings::of(part.array) else { return part.unreadable() };
        let bytes = strings.all_bytes(part.selection)?;
        Ok(self.str_column(part.node).extend(bytes.into_iter())?)
    }

    fn members(&mut self, of: &Enum, part: Part<'_>) -> Read {
        let Some(strings) = Strings::of(part.array) else { return part.unreadable() };
        let names = of.members.iter().enumerate().map(|(i, name)| (name.as_bytes(), i as i64));
        let names: HashMap<&[u8], i64> = names.collect();
        let column = self.int_column(part.node, 0);
        for slot in part.selection.iter() {
            let bytes = strings.bytes(slot)?;
            match names.get(bytes) {
                Some(&member) => memory::push(column, member)?,
                None => {
                    let text = String::from_utf8_lossy(bytes).into_owned();
                    return wrong(format!(
                        "slot {slot} has {text:?}, which is no member of {}",
                        part.node.ty
                    ));
                }
            }
        }
        Ok(())
    }

    /// The elements of lists and maps. Appends their number in each.
    fn elements(&mut self, part: Part<'_>) -> Read<Elements> {
        let column = &mut self.into.ints[part.node.first.ints as usize];
        memory::reserve(column, part.selection.len())?;
        let count = &mut self.elements;
        let of = elements(part.array, part.selection, |len| {
            *count = count.saturating_add(len + CONTAINER_ELEMENTS);
            if *count > MAX_ROW_ELEMENTS {
                return Err(TOO_MANY.into());
            }
            column.push(len as i64);
            Ok(())
        })?;
        of.map_or_else(|| part.unreadable(), Ok)
    }
}

impl Elements {
    /// These as values of a part of the rows.
    fn part<'a>(&'a self, node: &'a Numbered<'a>) -> Part<'a> {
        Part { node, field: &self.field, array: &self.values, selection: &self.selection }
    }
}

/// The values of the selected slots of a union by the arms that they have, which are of `types`. Passes the
/// arm of each slot to `each`.
fn by_arm(
    types: &[Type],
    array: &ArrayRef,
    selection: &Selection,
    mut each: impl FnMut(usize) -> Read,
) -> Read<Vec<(usize, Elements)>> {
    let Some(union) = array.as_union_opt() else {
        return wrong(format!("values of Arrow's {} are no union", array.data_type()));
    };
    let (arms, fields) = (Arms::of(union), union.fields().iter().collect::<Vec<_>>());
    let arm_of = arms_of(types, &fields);
    let mut slots = vec![Vec::new(); types.len()];
    for slot in selection.iter() {
        let (id, at) = arms.at(slot)?;
        let Some(&arm) = arm_of.get(&id).filter(|&&arm| arm < types.len()) else {
            return wrong(format!("slot {slot} has the arm {id}, which its type lacks"));
        };
        each(arm)?;
        memory::push(&mut slots[arm], at)?;
    }
    let of_arms = fields.into_iter().filter_map(|(id, field)| {
        let arm = *arm_of.get(&id).filter(|&&arm| arm < types.len())?;
        let selection = Selection::Listed(std::mem::take(&mut slots[arm]));
        Some((arm, Elements { field: field.clone(), values: union.child(id).clone(), selection }))
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
