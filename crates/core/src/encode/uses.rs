//! Whether rows use all that a type allows: each optional null and not null, each sequence with elements,
//! each arm of a union. Rows that do and fit a type have no other inferred type, if the type has no
//! parts that follow from more than that.

use std::ops::BitOrAssign;
use std::sync::Arc;

use crate::compiled::RowSource;
use crate::layout::OpResult;
use crate::layout::batch::Batch;
use crate::layout::discard::Discard;
use crate::layout::meter::{ObjectSizes, Observer};
use crate::plan::{Op, Plan};
use crate::program::Program;
use crate::schema::{Container, Type};
use crate::wire::row::RowReader;

/// Returns whether rows that fit `ty` and use all that it allows have it as their inferred type.
pub fn is_determined_by_use(ty: &Type) -> bool {
    match ty {
        Type::Optional(inner) => is_determined_by_use(inner),
        Type::Union(arms) => arms.len() <= MOST_ARMS && arms.iter().all(is_determined_by_use),
        // Lists of one length whose elements have several types have a fixed shape.
        Type::Sequence(Container::List, element) => {
            !matches!(element.required(), Type::Union(_)) && is_determined_by_use(element)
        }
        Type::Sequence(Container::Set | Container::FrozenSet, element) => {
            is_determined_by_use(element)
        }
        Type::Fixed(Container::Tuple, fields) => fields.iter().all(is_determined_by_use),
        // Dicts that all have these keys in this order have no other type.
        Type::Struct(of) => {
            (of.is_record() || !of.fields.is_empty())
                && of.fields.iter().all(|field| !field.maybe && is_determined_by_use(&field.ty))
        }
        // The entries of all dicts decide that these are maps, and an int may be of either type.
        ty => ty.is_definite(),
    }
}

/// Returns whether values of `ty` may have dicts with names for keys, whose order is in the type.
pub fn has_dicts(ty: &Type) -> bool {
    let mut has = false;
    ty.each(&mut |ty| has |= matches!(ty, Type::Struct(of) if !of.is_record()));
    has
}

/// A union has a bit for each arm.
const MOST_ARMS: usize = u64::BITS as usize;

/// Returns whether the rows in the columns of `batch` use all that the type of `plan` allows.
pub fn are_all_in_columns(plan: &Plan, batch: &Batch) -> bool {
    let ints = |column: u32| batch.ints.get(column as usize).map_or(&[][..], |column| column);
    are_all(
        plan,
        |column| {
            let bits = batch.bits.get(column as usize).map_or(&[][..], |column| column);
            bits.contains(&0) && bits.contains(&1)
        },
        |column| ints(column).iter().any(|&len| len != 0),
        |column| ints(column).iter().fold(0, |seen, &arm| seen | bit_of_arm(arm as usize)),
    )
}

/// Returns whether `records`, which are `rows` rows, use all that the type of `program` allows.
pub fn are_all_in_records(program: &Arc<Program>, records: &[u8], rows: usize) -> bool {
    let mut read = Discard::new(Uses::default());
    if RowReader::new(records, 0).run(program, &mut read, 0..rows).is_err() {
        return false;
    }
    let uses = read.into_observer();
    let int = |column: u32| uses.ints.get(column as usize).copied().unwrap_or_default();
    are_all(
        program,
        |column| uses.bits.get(column as usize) == Some(&(NULL | VALUE)),
        |column| int(column) != 0,
        int,
    )
}

/// Returns whether, by the columns of `plan`, each optional was null and was not, each sequence had elements,
/// and each union had all arms.
fn are_all(
    plan: &Plan,
    was_null_and_not: impl Fn(u32) -> bool,
    had_elements: impl Fn(u32) -> bool,
    arms: impl Fn(u32) -> u64,
) -> bool {
    plan.ops.iter().all(|op| match *op {
        Op::Optional { to, .. } => was_null_and_not(to),
        Op::Sequence { to, .. } => had_elements(to),
        Op::Union { table, to, .. } => {
            arms(to).count_ones() as usize == plan.unions[table as usize].len()
        }
        _ => true,
    })
}

fn bit_of_arm(arm: usize) -> u64 {
    1u64.checked_shl(arm as u32).unwrap_or_default()
}

/// What records used, by the columns of the plan.
#[derive(Default)]
struct Uses {
    /// For each optional: whether it was null, and whether it was not.
    bits: Vec<u8>,
    /// For each sequence: whether it had elements. For each union: which arms there were.
    ints: Vec<u64>,
}

const NULL: u8 = 1;
const VALUE: u8 = 2;

/// Adds `mark` to the marks of the column.
fn mark<T: Copy + Default + BitOrAssign>(marks: &mut Vec<T>, column: u32, mark: T) -> OpResult {
    let at = column as usize;
    if at >= marks.len() {
        crate::memory::resize(marks, at + 1, T::default())?;
    }
    marks[at] |= mark;
    Ok(())
}

impl Observer for Uses {
    #[inline(always)]
    fn take(&mut self, _bytes: impl FnOnce(&ObjectSizes) -> usize) -> OpResult {
        Ok(())
    }

    #[inline(always)]
    fn presence(&mut self, column: u32, is_present: bool) -> OpResult {
        mark(&mut self.bits, column, if is_present { VALUE } else { NULL })
    }

    #[inline(always)]
    fn length(&mut self, column: u32, len: usize) -> OpResult {
        mark(&mut self.ints, column, u64::from(len > 0))
    }

    #[inline(always)]
    fn arm(&mut self, column: u32, arm: usize) -> OpResult {
        mark(&mut self.ints, column, bit_of_arm(arm))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::encode::Rows;
    use crate::encode::{Encoder, Staging, infer};
    use crate::layout::value::ValueRows;
    use crate::testing::{WIRES, int, list, plan, tuple};
    use crate::value::Value;

    /// Whether `rows` fit the schema and use all that it allows, which both wires must find.
    fn are_used(schema: &str, rows: &[Value]) -> bool {
        let program = plan(schema);
        assert!(is_determined_by_use(program.root()), "{schema}");
        let [record, column] = WIRES.map(|wire| {
            let (mut message, rows) = (Vec::new(), ValueRows(rows));
            let staging = Staging::default();
            let mut encoder = Encoder::with_staging(wire, &mut message, staging).unwrap();
            encoder.encode(&program, &mut rows.source(), 0..rows.len()).is_ok()
                && encoder.rows_use_all(&program)
        });
        assert_eq!(record, column);
        record
    }

    #[test]
    fn rows_that_use_all_of_a_type_have_it_as_their_inferred_type() {
        let texts = || list(["a".into(), Value::Null]);
        let part = |v: Value| Value::record("Part", [("key", v)]);
        let cases: Vec<(&str, Vec<Value>, bool)> = vec![
            ("(i64, [f64])", vec![tuple([int(1), list([Value::F64(0.5)])])], true),
            ("(i64, [f64])", vec![tuple([int(1), list([])])], false),
            ("(i64, [f64])", vec![], false),
            ("([str?], i64)", vec![tuple([texts(), int(1)])], true),
            ("([str?], i64)", vec![tuple([list(["a".into()]), int(1)])], false),
            ("i64?", vec![int(1), Value::Null], true),
            ("i64?", vec![Value::Null], false),
            ("i64?", vec![int(1)], false),
            ("i64|str", vec![int(1), "a".into()], true),
            ("i64|str", vec![int(1), int(2)], false),
            ("[[i64]]", vec![list([list([]), list([int(1)])])], true),
            ("[[i64]]", vec![list([list([]), list([])])], false),
            ("Part{key: i64?}", vec![part(int(1)), part(Value::Null)], true),
            ("Part{key: i64?}", vec![part(int(1))], false),
            // Another type.
            ("(i64, [f64])", vec![tuple([int(1), list([int(1)])])], false),
        ];
        for (schema, rows, are) in cases {
            assert_eq!(are_used(schema, &rows), are, "{schema} of {rows:?}");
            if are {
                assert_eq!(infer(&ValueRows(&rows)).unwrap().to_string(), schema);
            }
        }
    }

    #[test]
    fn some_types_follow_from_more_than_what_is_used() {
        let dicts = ["{}", "({\"a\"?: i64}, i64)"];
        for schema in ["int", "[never]", "{str: i64}", "(i64, ...)", "[int]", "[i64|str]"]
            .into_iter()
            .chain(dicts)
        {
            assert!(!is_determined_by_use(plan(schema).root()), "{schema}");
        }
    }
}
