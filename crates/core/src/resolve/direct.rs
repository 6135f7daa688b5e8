//! Rows of another schema for which the writer's own instructions do.
//!
//! Often the reader's type is the writer's under other names, or is wider in a way of which an object shows
//! nothing: a value might be null, might be one of other arms, an integer might be larger. Objects then come
//! out the same from the writer's plan with the reader's names in it, which is compiled like any other.

use std::sync::Arc;

use super::Share;
use super::node::Node;
use crate::plan::{Plan, Tables};
use crate::schema::{Container, Field, Schema, Struct, Type};

/// The plan by which frames of `writer`'s can be read if objects are made of them, where `root` is how its
/// rows are read as those of the last of `readers`. Any of these may be that plan.
pub(super) fn direct(
    writer: &Plan,
    readers: [&Arc<Plan>; 2],
    root: &Node,
    share: Option<Share>,
) -> Option<Arc<Plan>> {
    let tables = &readers[1].tables;
    let mut renaming = Renaming { tables, structs: Vec::new(), enums: Vec::new() };
    let schema = Schema::new(renaming.ty(writer.root(), root)?).ok()?;
    // Several classes may have the same names.
    let is_all = |of: &[u32]| of.iter().copied().eq(0..of.len() as u32);
    let are_same = is_all(&renaming.structs) && is_all(&renaming.enums);
    let known = readers.into_iter().find(|reader| are_same && *reader.schema() == schema);
    let plan = match (known, share) {
        (Some(reader), _) => reader.clone(),
        (None, None) => Plan::of(&schema),
        (None, Some(share)) => {
            let plan = Plan::new(&schema);
            share(tables, &renaming.structs, &renaming.enums, &plan.tables).then_some(plan)?.into()
        }
    };
    // Nothing but names differs, or else this is the place to find out.
    let is_same = plan.ops == writer.ops
        && plan.unions == writer.unions
        && plan.columns == writer.columns
        && plan.str_encodings == writer.str_encodings;
    is_same.then_some(plan)
}

/// A writer's type under the reader's names.
struct Renaming<'a> {
    /// The reader's.
    tables: &'a Tables,
    /// For each struct of the writer's, in the order of a plan, which of the reader's it is.
    structs: Vec<u32>,
    enums: Vec<u32>,
}

impl Renaming<'_> {
    /// The type, if all of `node` can be left to the writer's instructions.
    fn ty(&mut self, of: &Type, node: &Node) -> Option<Type> {
        Some(match (of, node) {
            (_, Node::Present { inner, .. } | Node::Arm { inner, .. }) => self.ty(of, inner)?,
            (Type::I64, Node::I64 { .. } | Node::IntOfI64 { .. })
            | (Type::F64, Node::F64 { .. })
            | (Type::Str, Node::Str { .. })
            | (Type::Bool, Node::Bool { .. })
            | (Type::Null, Node::Null | Node::Absent { .. })
            | (Type::Logical(_), Node::Logical { .. })
            | (Type::Never, Node::Never) => of.clone(),
            (Type::Optional(of), Node::Optional { inner, .. }) => {
                Type::Optional(self.boxed(of, inner)?)
            }
            (Type::Fixed(container, of), Node::Fixed { fields, .. })
            | (Type::Fixed(container, of), Node::Elements { fields, .. }) => {
                Type::Fixed(*container, self.all(of, fields)?)
            }
            (Type::Sequence(container, of), Node::Sequence { element, .. }) => {
                Type::Sequence(*container, self.boxed(of, element.first()?)?)
            }
            (Type::Map(key, value), Node::Sequence { element, .. }) => match &element[..] {
                [of_key, of_value] => {
                    Type::Map(self.boxed(key, of_key)?, self.boxed(value, of_value)?)
                }
                _ => return None,
            },
            (Type::Struct(of), Node::Fixed { made: (Container::Struct(to), _), fields, .. }) => {
                let names = &self.tables.structs[*to as usize];
                // Fields that come in the same order are all read, and as they come.
                if names.fields != of.names.fields {
                    return None;
                }
                self.structs.push(*to);
                let fields = of.fields.iter().zip(fields);
                let fields =
                    fields.map(|(of, node)| self.field(of, node)).collect::<Option<_>>()?;
                Type::Struct(Arc::new(Struct { names: names.clone(), fields }))
            }
            (Type::Enum(of), Node::Enum { tables, members, .. }) => {
                let to = &self.tables.enums[tables.to as usize];
                let are_same = members.iter().copied().eq((0..to.members.len() as u32).map(Some));
                if !are_same || of.members.len() != to.members.len() {
                    return None;
                }
                self.enums.push(tables.to);
                Type::Enum(to.clone())
            }
            (Type::Union(of), Node::Union { arms, .. }) => Type::Union(self.all(of, arms)?),
            _ => return None,
        })
    }

    fn boxed(&mut self, of: &Type, node: &Node) -> Option<Box<Type>> {
        self.ty(of, node).map(Box::new)
    }

    fn all(&mut self, of: &[Type], nodes: &[Node]) -> Option<Vec<Type>> {
        of.iter().zip(nodes).map(|(of, node)| self.ty(of, node)).collect()
    }

    fn field(&mut self, of: &Field, node: &Node) -> Option<Field> {
        let node = match (of.maybe, node) {
            (false, node) => node,
            (true, Node::Maybe { has, lacks, .. })
                if matches!(**lacks, Node::LacksField { .. }) =>
            {
                has
            }
            (true, _) => return None,
        };
        let node = match node {
            Node::HasField { inner, .. } => inner,
            node => node,
        };
        Some(Field { ty: self.ty(&of.ty, node)?, maybe: of.maybe })
    }
}

#[cfg(test)]
mod tests {
    use super::super::{Defaults, Expected};
    use super::*;

    /// The schema by whose plan rows of `writer` are made for a reader of `reader`.
    fn direct(writer: &str, reader: &str) -> Option<String> {
        let plan = |text| Plan::of(&Schema::parse(text).unwrap());
        let expected = Expected::new(plan(reader), Defaults::default());
        let resolved = expected.resolve(&plan(writer)).unwrap();
        resolved.direct.as_ref().map(|plan| plan.schema().to_string())
    }

    #[test]
    fn what_an_object_does_not_show_is_left_to_the_writer() {
        for (writer, reader, direct_as) in [
            ("(i64, str)", "(i64?, str|f64)", "(i64, str)"),
            ("(i64, null, [i64, i64])", "(int, str?, [int])", "(i64, null, [i64, i64])"),
            ("[never]", "[str]", "[never]"),
            ("A{x: i64, y: str?}", "B{x: int, y: str?}", "B{x: i64, y: str?}"),
            ("{\"x\": i64}", "B{x: i64?}", "B{x: i64}"),
            ("{\"x\": i64}", "{\"x\"?: i64}", "{\"x\": i64}"),
            ("{\"x\"?: i64}", "{\"x\"?: int}", "{\"x\"?: i64}"),
            ("{str: enum E{A, B}}", "{str: (enum E{A, B})?}", "{str: enum E{A, B}}"),
            ("i64|str", "int|str|f64", "i64|str"),
        ] {
            assert_eq!(direct(writer, reader).as_deref(), Some(direct_as), "{writer} as {reader}");
        }
    }

    #[test]
    fn what_makes_another_object_is_not() {
        for (writer, reader) in [
            ("(i64, i64)", "(i64, f64)"),
            ("A{x: i64, y: i64}", "A{y: i64, x: i64}"),
            ("A{x: i64, y: i64}", "A{x: i64}"),
            ("A{x: i64}", "A{x: i64, y: i64?}"),
            ("{\"x\": i64}", "{str: i64}"),
            ("{\"x\"?: i64}", "B{x: i64?}"),
            ("[enum E{A, B}]", "[enum E{B, A}]"),
            ("[enum E{A, B}]", "[enum E{A, B, C}]"),
        ] {
            assert_eq!(direct(writer, reader), None, "{writer} as {reader}");
        }
    }
}
