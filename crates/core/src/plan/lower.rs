//! From a schema to its plan.

use std::sync::Arc;

use super::{
    Arm, Column, Columns, ComponentColumns, Container, Op, Plan, StrEncoding, Tables, bounds,
};
use crate::compiled::Codes;
use crate::schema::{Schema, Struct, Type};

pub(super) fn lower(schema: &Schema) -> Plan {
    let mut lower = Lower::default();
    lower.ty(schema.root());
    lower.ops.push(Op::End);
    Plan {
        row_bound: lower.bound,
        ops: lower.ops,
        unions: lower.unions,
        tables: Arc::new(lower.tables),
        columns: lower.columns,
        order: lower.order,
        str_encodings: lower.str_encodings,
        schema: schema.clone(),
        storage: None,
        codes: Codes::default(),
    }
}

#[derive(Default)]
struct Lower {
    ops: Vec<Op>,
    unions: Vec<Vec<Arm>>,
    tables: Tables,
    columns: Columns,
    order: Vec<Column>,
    str_encodings: Vec<StrEncoding>,
    bound: usize,
}

impl Lower {
    fn pc(&self) -> u32 {
        self.ops.len() as u32
    }

    fn int(&mut self) -> u32 {
        self.bound += bounds::INT;
        self.order.push(Column::Int(self.columns.ints));
        self.columns.ints += 1;
        self.columns.ints - 1
    }

    fn bit(&mut self) -> u32 {
        self.bound += bounds::BIT;
        self.order.push(Column::Bit(self.columns.bits));
        self.columns.bits += 1;
        self.columns.bits - 1
    }

    fn float(&mut self) -> u32 {
        self.bound += bounds::FLOAT;
        self.order.push(Column::Float(self.columns.floats));
        self.columns.floats += 1;
        self.columns.floats - 1
    }

    fn str(&mut self, encoding: StrEncoding) -> u32 {
        self.bound += bounds::STR;
        self.str_encodings.push(encoding);
        self.order.push(Column::Str(self.columns.strs));
        self.columns.strs += 1;
        self.columns.strs - 1
    }

    fn ty(&mut self, ty: &Type) {
        match ty {
            Type::I64 => {
                let first = self.int();
                self.ops.push(Op::I64 { first, count: 1 });
            }
            Type::F64 => {
                let first = self.float();
                self.ops.push(Op::F64 { first, count: 1 });
            }
            Type::Str => {
                let first = self.str(StrEncoding::Text);
                self.ops.push(Op::Str { first, count: 1 });
            }
            Type::Bool => {
                let first = self.bit();
                self.ops.push(Op::Bool { first, count: 1 });
            }
            Type::Logical(ty) => {
                let Columns { ints: int, floats: float, strs: str, .. } = self.columns;
                let counts = ty.counts();
                for _ in 0..counts.ints {
                    self.int();
                }
                for _ in 0..counts.floats {
                    self.float();
                }
                for _ in 0..counts.bytes {
                    self.str(StrEncoding::Bytes);
                }
                self.ops.push(Op::Logical { ty: *ty, parts: ComponentColumns { int, float, str } });
            }
            Type::Null => self.ops.push(Op::Null { count: 1 }),
            Type::Never => self.ops.push(Op::Never),
            Type::Optional(inner) => {
                let at = self.ops.len();
                let column = self.bit();
                self.ops.push(Op::Optional { column, end: 0 });
                self.ty(inner);
                self.ops[at] = Op::Optional { column, end: self.pc() };
            }
            Type::Fixed(container, fields) => {
                self.ops.push(Op::Enter {
                    container: *container,
                    len: fields.len() as u32,
                    acyclic: ty.is_acyclic(),
                });
                self.fields(fields);
                self.ops.push(Op::Leave);
            }
            Type::Struct(of) => self.structure(of),
            Type::Sequence(container, element) => {
                self.sequence(*container, ty.is_acyclic(), &[element]);
            }
            Type::Map(key, value) => {
                self.sequence(Container::Map, ty.is_acyclic(), &[key, value]);
            }
            Type::Enum(of) => {
                let (table, members) = (self.tables.enums.len() as u32, of.members.len() as u32);
                self.tables.enums.push(of.clone());
                let column = self.int();
                self.ops.push(Op::Enum { table, members, column });
            }
            Type::Union(arms) => self.union(arms),
        }
    }

    /// A sequence of elements that are each made of `element`.
    fn sequence(&mut self, container: Container, acyclic: bool, element: &[&Type]) {
        let at = self.ops.len();
        let column = self.int();
        self.ops.push(Op::Jump { to: 0 });
        // Room for an element is asked for when it begins, and not with the row's.
        let outside = std::mem::take(&mut self.bound);
        element.iter().for_each(|ty| self.ty(ty));
        let bound = std::mem::replace(&mut self.bound, outside) as u32;
        self.ops.push(Op::Next { start: at as u32 + 1 });
        self.ops[at] = Op::Sequence {
            container,
            column,
            end: self.pc(),
            acyclic,
            zero_sized: element.iter().all(|ty| ty.is_zero_sized()),
            bound,
        };
    }

    fn structure(&mut self, of: &Struct) {
        let table = self.tables.structs.len() as u32;
        self.tables.structs.push(of.names.clone());
        self.tables.maybe.push(of.fields.iter().map(|field| field.maybe).collect());
        self.ops.push(Op::Enter {
            container: Container::Struct(table),
            len: of.fields.len() as u32,
            acyclic: of.fields.iter().all(|field| field.ty.is_acyclic()),
        });
        for run in of.fields.chunk_by(|a, b| !a.maybe && !b.maybe) {
            if let [field] = run
                && field.maybe
            {
                let at = self.ops.len();
                let column = self.bit();
                self.ops.push(Op::Maybe { column, end: 0 });
                self.ty(&field.ty);
                self.ops[at] = Op::Maybe { column, end: self.pc() };
            } else {
                self.fields(run.iter().map(|field| &field.ty));
            }
        }
        self.ops.push(Op::Leave);
    }

    /// Fields in a row; scalars of one type that follow one another become one instruction.
    fn fields<'t>(&mut self, fields: impl IntoIterator<Item = &'t Type>) {
        let mut previous: Option<&Type> = None;
        for field in fields {
            let run = previous == Some(field);
            previous = Some(field);
            if run && matches!(field, Type::I64 | Type::F64 | Type::Str | Type::Bool | Type::Null) {
                match field {
                    Type::I64 => drop(self.int()),
                    Type::F64 => drop(self.float()),
                    Type::Str => drop(self.str(StrEncoding::Text)),
                    Type::Bool => drop(self.bit()),
                    _ => {}
                }
                if let Some(
                    Op::I64 { count, .. }
                    | Op::F64 { count, .. }
                    | Op::Str { count, .. }
                    | Op::Bool { count, .. }
                    | Op::Null { count },
                ) = self.ops.last_mut()
                {
                    *count += 1;
                }
            } else {
                self.ty(field);
            }
        }
    }

    fn union(&mut self, arms: &[Type]) {
        let table = self.unions.len() as u32;
        self.unions.push(Vec::new());
        let column = self.int();
        self.ops.push(Op::Union { table, column });
        let mut lowered = Vec::new();
        let mut jumps = Vec::new();
        for arm in arms {
            let table = match arm {
                Type::Enum(_) => self.tables.enums.len(),
                _ => self.tables.structs.len(),
            };
            let class = arm
                .class(table as u32)
                .expect("a union's arms have classes: Type::union sees to it");
            lowered.push(Arm { class, start: self.pc() });
            self.ty(arm);
            jumps.push(self.ops.len());
            self.ops.push(Op::Jump { to: 0 });
        }
        let to = self.pc();
        for jump in jumps {
            self.ops[jump] = Op::Jump { to };
        }
        self.unions[table as usize] = lowered;
    }
}
