//! Closing: what a reader's open type is for rows of one writer's type.
//!
//! The walk goes through the reader's type with all of the writer's types whose values get to a place.
//! It chooses arms and fields by the rules of lowering, and skips what can't be read: lowering reports
//! that.

use std::collections::HashMap;
use std::sync::Arc;

use super::numbering::{Numbered, RowType, number};
use super::unions::arm_for;
use super::{Defaults, Former, FormerNames};
use crate::error::{Error, Result};
use crate::limits::MAX_RESOLVED;
use crate::schema::{Container, Field, Logical, Open, Schema, Shape, Struct, Type};

/// Which parts of an open type the parts of a closed one come from, by their numbers. Those that a
/// writer's type put there come from none.
#[derive(Clone, Debug, Default)]
pub struct Parts {
    /// By the index of a struct in [`Tables::structs`](super::Tables::structs).
    pub structs: HashMap<u32, u32>,
    /// By the index of an enum in [`Tables::enums`](super::Tables::enums).
    pub enums: HashMap<u32, u32>,
    /// By the int column of the length of a sequence, set or map.
    pub sequences: HashMap<u32, u32>,
}

/// A reader's type and what belongs to it, for rows of one writer's schema.
pub(super) struct Closed {
    pub rows: RowType,
    pub defaults: Defaults,
    pub former_names: FormerNames,
}

/// Returns the schema of rows with the inferred schema `of` that are to be of the open schema `open`.
///
/// # Errors
/// As for reading rows of the one as rows of the other, but types that differ are no error here.
pub fn closed(open: &Schema, of: &Schema) -> Result<Schema> {
    Ok(Closed::of(open, of, &Defaults::default(), &FormerNames::default())?.rows.schema)
}

impl Closed {
    /// Closes the type of `open` by the type of the rows of `writer`.
    ///
    /// # Errors
    /// A schema error if the types in one union can't be distinguished. A limit error if the type gets
    /// too large.
    pub fn of(
        open: &Schema,
        writer: &Schema,
        defaults: &Defaults,
        former_names: &FormerNames,
    ) -> Result<Closed> {
        let reader = number(open.root());
        let mut structs = Vec::new();
        find_structs(&reader, &mut structs);
        let mut closing = Closing { structs, former_names, steps: 0 };
        let closed = closing.value(&reader, &[writer.root()])?;
        let within = |error: Error| error.within(format!("reading rows of {writer} as {open}"));
        let schema = Schema::new(closed.ty.clone()).map_err(within)?;
        let mut parts = Parts::default();
        closed.find_parts(&number(schema.root()), &mut parts);
        Ok(Closed {
            defaults: defaults.of_parts(&parts),
            former_names: former_names.of_parts(&parts),
            rows: RowType::closed(&schema, parts),
        })
    }
}

fn find_structs<'r, 't>(of: &'r Numbered<'t>, structs: &mut Vec<&'r Numbered<'t>>) {
    if let Type::Struct(_) = of.ty {
        structs.push(of);
    }
    of.within.iter().for_each(|part| find_structs(part, structs));
}

/// A closed type.
struct ClosedType<'r, 't> {
    ty: Type,
    origin: Origin<'r, 't>,
}

/// The part of the open type that a closed type comes from.
enum Origin<'r, 't> {
    /// None, or one without names.
    None,
    /// The type is that part.
    Same(&'r Numbered<'t>),
    /// The types directly within the type are these.
    Of(&'r Numbered<'t>, Vec<ClosedType<'r, 't>>),
}

struct Closing<'r, 't> {
    /// The structs of the open type, by their index.
    structs: Vec<&'r Numbered<'t>>,
    former_names: &'r FormerNames,
    steps: usize,
}

impl<'r, 't> Closing<'r, 't> {
    /// Closes `r` for values of the types `ws`.
    fn value(&mut self, r: &'r Numbered<'t>, ws: &[&Type]) -> Result<ClosedType<'r, 't>> {
        self.steps += 1 + ws.len();
        if self.steps > MAX_RESOLVED {
            return Err(Error::limit(format!(
                "closing an open type takes more than {MAX_RESOLVED} steps"
            )));
        }
        if !r.ty.is_open() {
            return Ok(ClosedType { ty: r.ty.clone(), origin: Origin::Same(r) });
        }
        let mut values = Vec::with_capacity(ws.len());
        let mut is_null = false;
        ws.iter().for_each(|ty| arms(ty, &mut values, &mut is_null));
        let closed = match r.ty {
            Type::Open(Open::Any) => return Ok(any(ws)),
            Type::Open(Open::Struct(_)) if values.is_empty() => {
                ClosedType { ty: Type::Never, origin: Origin::None }
            }
            Type::Open(Open::Struct(index)) => {
                return self.value(self.structs[*index as usize], &values);
            }
            Type::Optional(_) => {
                let inner = self.value(&r.within[0], &values)?;
                let null = ClosedType { ty: Type::Null, origin: Origin::None };
                return union(r, vec![inner, null]);
            }
            Type::Union(_) => {
                let targets: Vec<_> = r.within.iter().map(|arm| self.target(arm)).collect();
                let mut groups = vec![Vec::new(); targets.len()];
                for ty in values {
                    let arm = arm_for(ty, targets.iter().copied(), self.former_names);
                    arm.into_iter().for_each(|arm| groups[arm].push(ty));
                }
                let arms = r.within.iter().zip(groups);
                let arms = arms.map(|(arm, group)| self.value(arm, &group));
                return union(r, arms.collect::<Result<_>>()?);
            }
            Type::Struct(of) => self.structure(r, of, &values)?,
            Type::Map(..) => {
                let (mut keys, mut items) = (Vec::new(), Vec::new());
                for ty in values {
                    match ty {
                        Type::Map(key, item) => {
                            keys.push(&**key);
                            items.push(&**item);
                        }
                        Type::Struct(of) if !of.is_record() => {
                            keys.push(&Type::Str);
                            items.extend(of.fields.iter().map(|field| &field.ty));
                        }
                        _ => {}
                    }
                }
                let within =
                    vec![self.value(&r.within[0], &keys)?, self.value(&r.within[1], &items)?];
                let [key, item] = [0, 1].map(|at: usize| Box::new(within[at].ty.clone()));
                ClosedType { ty: Type::Map(key, item), origin: Origin::Of(r, within) }
            }
            Type::Sequence(container, _) => {
                let mut elements = Vec::new();
                for ty in values {
                    match ty {
                        Type::Sequence(_, element) => elements.push(&**element),
                        Type::Fixed(_, fields) => elements.extend(fields),
                        _ => {}
                    }
                }
                let within = vec![self.value(&r.within[0], &elements)?];
                let ty = Type::Sequence(*container, Box::new(within[0].ty.clone()));
                ClosedType { ty, origin: Origin::Of(r, within) }
            }
            Type::Fixed(container, fields) => {
                let mut columns = vec![Vec::new(); fields.len()];
                for ty in values {
                    match ty {
                        Type::Fixed(_, types) if types.len() == fields.len() => {
                            columns.iter_mut().zip(types).for_each(|(column, ty)| column.push(ty));
                        }
                        // Rows that all have as many elements of one type are inferred to have such a type.
                        Type::Sequence(_, element) => {
                            columns.iter_mut().for_each(|column| column.push(&**element));
                        }
                        _ => {}
                    }
                }
                let fields = r.within.iter().zip(columns);
                let within = fields.map(|(field, ws)| self.value(field, &ws));
                let within = within.collect::<Result<Vec<_>>>()?;
                let types = within.iter().map(|part| part.ty.clone()).collect();
                ClosedType { ty: Type::Fixed(*container, types), origin: Origin::Of(r, within) }
            }
            ty => ClosedType { ty: ty.clone(), origin: Origin::Same(r) },
        };
        Ok(closed)
    }

    fn structure<'w>(
        &mut self,
        r: &'r Numbered<'t>,
        of: &Struct,
        values: &[&'w Type],
    ) -> Result<ClosedType<'r, 't>> {
        let former = self.former_names.of_struct(r.tables.structs);
        let fields = |ty: &&'w Type| fields_for(of, former, ty);
        let writers: Vec<_> = values.iter().filter_map(fields).collect();
        let mut within = Vec::with_capacity(of.fields.len());
        for (at, (field, r)) in of.fields.iter().zip(&r.within).enumerate() {
            let mut ws = Vec::with_capacity(writers.len());
            for writer in &writers {
                let written = writer[at];
                ws.extend(written.map(|field| &field.ty));
                // The rows that lack the field have a null there.
                if !field.maybe && written.is_none_or(|field| field.maybe) {
                    ws.push(&Type::Null);
                }
            }
            within.push(self.value(r, &ws)?);
        }
        let fields = of.fields.iter().zip(&within);
        let fields = fields.map(|(field, closed)| Field { ty: closed.ty.clone(), ..*field });
        let closed = Struct { names: of.names.clone(), fields: fields.collect() };
        Ok(ClosedType { ty: Type::Struct(Arc::new(closed)), origin: Origin::Of(r, within) })
    }

    /// Returns the struct that an arm stands for, or else the arm.
    fn target(&self, arm: &'r Numbered<'t>) -> &'r Numbered<'t> {
        match arm.ty {
            Type::Open(Open::Struct(index)) => self.structs[*index as usize],
            _ => arm,
        }
    }
}

/// Returns the field of a writer's struct for each field of the reader's. Lowering reports unclear names.
fn fields_for<'w>(
    of: &Struct,
    former: Option<&Former>,
    writer: &'w Type,
) -> Option<Vec<Option<&'w Field>>> {
    let Type::Struct(writer) = writer else { return None };
    let mut fields = vec![None; of.fields.len()];
    let places = Former::fields(writer, of, former).unwrap_or_default();
    for (field, place) in writer.fields.iter().zip(places) {
        place.into_iter().for_each(|place| fields[place] = Some(field));
    }
    Some(fields)
}

/// Adds the types that values of type `ty` have, without null.
fn arms<'a>(ty: &'a Type, values: &mut Vec<&'a Type>, is_null: &mut bool) {
    match ty {
        Type::Never => {}
        Type::Null => *is_null = true,
        Type::Optional(inner) => {
            *is_null = true;
            arms(inner, values, is_null);
        }
        Type::Union(types) => types.iter().for_each(|ty| arms(ty, values, is_null)),
        other => values.push(other),
    }
}

/// Closes a type that is open to any other. Without values it is null, which it could be.
fn any<'r, 't>(ws: &[&Type]) -> ClosedType<'r, 't> {
    let mut ws = ws.iter().filter(|ty| ***ty != Type::Never);
    let ty = match ws.next() {
        None => Type::Null,
        // Joining could make a sequence of a list with fields of one type.
        Some(first) if ws.clone().all(|ty| ty == first) => (*first).clone(),
        Some(first) => {
            let mut shape = Shape::of(first);
            ws.for_each(|ty| shape.join(Shape::of(ty)));
            shape.into_type()
        }
    };
    ClosedType { ty, origin: Origin::None }
}

/// Returns the union of types, which may be nulls, optionals and unions.
fn union<'r, 't>(
    r: &'r Numbered<'t>,
    types: Vec<ClosedType<'r, 't>>,
) -> Result<ClosedType<'r, 't>> {
    let ty = Type::union(types.iter().map(|closed| closed.ty.clone()))?;
    let mut arms = Vec::new();
    types.into_iter().for_each(|closed| closed.into_arms(&mut arms));
    let mut take = |ty: &Type| match arms.iter().position(|arm| arm.ty == *ty) {
        Some(at) => arms.swap_remove(at),
        None => ClosedType { ty: ty.clone(), origin: Origin::None },
    };
    let inner = match ty.required() {
        Type::Union(arms) => {
            let arms = arms.iter().map(&mut take).collect();
            ClosedType { ty: ty.required().clone(), origin: Origin::Of(r, arms) }
        }
        one => take(one),
    };
    Ok(match ty {
        Type::Optional(_) => ClosedType { ty, origin: Origin::Of(r, vec![inner]) },
        _ => inner,
    })
}

impl<'r, 't> ClosedType<'r, 't> {
    /// Adds the arms of a union of this type.
    fn into_arms(self, arms: &mut Vec<ClosedType<'r, 't>>) {
        let within = match self.ty {
            Type::Optional(_) | Type::Union(_) => match self.origin {
                Origin::None => Vec::new(),
                Origin::Of(_, within) => within,
                Origin::Same(r) => {
                    let same = |part: &'r Numbered<'t>| ClosedType {
                        ty: part.ty.clone(),
                        origin: Origin::Same(part),
                    };
                    r.within.iter().map(same).collect()
                }
            },
            _ => return arms.push(self),
        };
        within.into_iter().for_each(|inner| inner.into_arms(arms));
    }

    /// Finds the parts of `closed`, which is this type with its numbers.
    fn find_parts(&self, closed: &Numbered<'_>, parts: &mut Parts) {
        match &self.origin {
            Origin::None => {}
            Origin::Same(r) => same_parts(r, closed, parts),
            Origin::Of(r, within) => {
                parts.add(r, closed);
                for (part, closed) in within.iter().zip(&closed.within) {
                    part.find_parts(closed, parts);
                }
            }
        }
    }
}

fn same_parts(r: &Numbered<'_>, closed: &Numbered<'_>, parts: &mut Parts) {
    parts.add(r, closed);
    for (r, closed) in r.within.iter().zip(&closed.within) {
        same_parts(r, closed, parts);
    }
}

impl Parts {
    fn add(&mut self, r: &Numbered<'_>, closed: &Numbered<'_>) {
        match closed.ty {
            Type::Struct(_) => {
                self.structs.insert(closed.tables.structs, r.tables.structs);
            }
            Type::Enum(_) => {
                self.enums.insert(closed.tables.enums, r.tables.enums);
            }
            Type::Sequence(Container::List | Container::Tuple, _)
            | Type::Logical(Logical::NdArray) => {
                self.sequences.insert(closed.first.ints, r.first.ints);
            }
            _ => {}
        }
    }
}
