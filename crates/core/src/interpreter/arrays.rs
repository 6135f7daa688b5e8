//! Lists of numbers that are arrays in the source or in the sink, whose elements are copied as memory. Lists of
//! strings or bytes that are arrays in the source.

use super::numbers::float_of_i64;
use super::{PlanCursor, check};
use crate::layout::NumberType::{self, Bool, F64, I64};
use crate::layout::{Components, Numbers, OpResult, Sink, Source, columns_of_ints};
use crate::limits::{CONTAINER_ELEMENTS, elements_of_lists};
use crate::number::Number;
use crate::plan::{Op, StrEncoding};
use crate::schema::{Container, Logical};

/// Elements that are read one by one before the sink gets them.
const AT_ONCE: usize = 64;

/// The types of numbers in the source and in the sink.
type Types = (NumberType, NumberType);

/// Returns the types of the numbers that `body` converts, with their columns in the source and in the sink;
/// `None` if it converts something else. An integer of any size has no column of its own in a sink of arrays.
fn types_of(body: Op) -> Option<(Types, u32, u32)> {
    match body {
        Op::I64 { from, to, count: 1 } => Some(((I64, I64), from, to)),
        Op::F64 { from, to, count: 1 } => Some(((F64, F64), from, to)),
        Op::Bool { from, to, count: 1 } => Some(((Bool, Bool), from, to)),
        Op::Number { read: Number::I64, from, made: Number::F64, to } => {
            Some(((I64, F64), from.int, to.float))
        }
        Op::Number { read: Number::I64, from, made: Number::Int, to } => {
            Some(((I64, I64), from.int, to.int))
        }
        Op::Logical { ty, from, to } => {
            NumberType::of_logical(ty).map(|of| ((of, of), from.int, to.int))
        }
        _ => None,
    }
}

/// Returns whether the numbers that `body` converts have one type in the source and in the sink.
fn is_same(body: Op) -> bool {
    !matches!(body, Op::Number { .. })
}

/// Converts the sequence at `cursor`, a list, if its elements are numbers and it is an array on either side, or if
/// they are strings or bytes and it is an array in the source. Otherwise converts nothing and returns false.
#[inline(never)]
pub(super) fn convert<S: Source, K: Sink>(
    source: &mut S,
    sink: &mut K,
    ops: &[Op],
    cursor: &mut PlanCursor<'_>,
) -> OpResult<bool> {
    let Op::Sequence { from, to, end, .. } = ops[cursor.pc] else { return Ok(false) };
    let body = ops[cursor.pc + 1];
    if let Op::Sequence { .. } = body {
        return grid(source, sink, &ops[cursor.pc..end as usize], cursor);
    }
    if end as usize != cursor.pc + 3 {
        return Ok(false);
    }
    let Some((types, from_column, to_column)) = types_of(body) else {
        return texts(source, sink, to, body, cursor);
    };
    let makes_array = sink.makes_array(to);
    let is_same = is_same(body);
    if is_same && let Some(len) = source.array(types.0)? {
        cursor.count(len, || check(source, sink))?;
        write_list(sink, to, to_column, source.elements())?;
        return Ok(true);
    }
    if !makes_array {
        return Ok(false);
    }
    let len = source.sequence(Container::List, from, false)?;
    cursor.count(len, || check(source, sink))?;
    sink.array(types.1, to, len)?;
    let (mut done, mut gathered) = (0, Gathered::default());
    while done < len {
        if is_same {
            let ready = source.ready_numbers(types.0, from_column, len - done);
            if !ready.is_empty() {
                done += ready.len();
                sink.numbers(to_column, ready)?;
                continue;
            }
        }
        let most = AT_ONCE.min(len - done);
        let part = gathered.read(source, types, from_column, most, |at| {
            cursor.fail_in_scalar(done + at);
        })?;
        sink.numbers(to_column, part)?;
        done += most;
    }
    source.leave();
    Ok(true)
}

/// Converts an array of the source to the list in column `list`, if `body` converts strings or bytes. Otherwise
/// converts nothing and returns false.
fn texts<S: Source, K: Sink>(
    source: &mut S,
    sink: &mut K,
    list: u32,
    body: Op,
    cursor: &mut PlanCursor<'_>,
) -> OpResult<bool> {
    let encoding = match body {
        Op::Str { count: 1, .. } => StrEncoding::Text,
        Op::Logical { ty: Logical::Bytes, .. } => StrEncoding::Bytes,
        _ => return Ok(false),
    };
    let Some(len) = source.text_array(encoding)? else { return Ok(false) };
    cursor.count(len, || check(source, sink))?;
    sink.sequence(Container::List, list, len, true)?;
    for at in 0..len {
        let text = source.array_text(at);
        let written = match body {
            Op::Logical { ty, to, .. } => {
                sink.logical(ty, to, Components { bytes: text, ..Components::default() })
            }
            Op::Str { to, .. } => sink.str(to, text),
            _ => unreachable!("its encoding is known"),
        };
        written.inspect_err(|_| cursor.fail_in_scalar(at))?;
    }
    sink.leave()?;
    Ok(true)
}

/// Writes a list of numbers, or an array if the sink makes one.
pub(super) fn write_list<K: Sink>(
    sink: &mut K,
    list: u32,
    column: u32,
    numbers: Numbers<'_>,
) -> OpResult {
    if sink.makes_array(list) {
        sink.array(numbers.number_type(), list, numbers.len())?;
        return sink.numbers(column, numbers);
    }
    sink.sequence(Container::List, list, numbers.len(), true)?;
    sink.numbers(column, numbers)?;
    sink.leave()
}

/// Converts an array of several dimensions of the source, if `ops` are lists of lists of numbers. Otherwise converts
/// nothing and returns false.
fn grid<S: Source, K: Sink>(
    source: &mut S,
    sink: &mut K,
    ops: &[Op],
    cursor: &mut PlanCursor<'_>,
) -> OpResult<bool> {
    let list = |op: &Op| match *op {
        Op::Sequence { container: Container::List, to, acyclic, .. } => Some((to, acyclic)),
        _ => None,
    };
    let lists: Vec<_> = ops.iter().map_while(list).collect();
    let depth = lists.len();
    // Each list ends with an instruction of its own, and the innermost one has one more.
    let body = (ops.len() == 2 * depth + 1).then(|| ops[depth]).filter(|&body| is_same(body));
    let Some(((of, _), _, column)) = body.and_then(types_of) else { return Ok(false) };
    if !source.grid(of, depth)? {
        return Ok(false);
    }
    let elements = elements_of_lists(source.lengths()) - CONTAINER_ELEMENTS;
    cursor.count(elements, || check(source, sink))?;
    write_lists(sink, (&lists, source.lengths()), column, source.elements())?;
    Ok(true)
}

/// Writes lists of lists of numbers. `lists` are their columns and whether they are acyclic, then their lengths,
/// outermost first.
fn write_lists<K: Sink>(
    sink: &mut K,
    lists: (&[(u32, bool)], &[usize]),
    column: u32,
    numbers: Numbers<'_>,
) -> OpResult {
    let ([(list, acyclic), inner @ ..], [len, lengths @ ..]) = lists else { return Ok(()) };
    if inner.is_empty() {
        return write_list(sink, *list, column, numbers);
    }
    sink.sequence(Container::List, *list, *len, *acyclic)?;
    let each: usize = lengths.iter().product();
    for at in 0..*len {
        write_lists(sink, (inner, lengths), column, numbers.part(at * each..(at + 1) * each))?;
    }
    sink.leave()
}

/// Elements that were read one by one.
struct Gathered {
    /// Also the first components of times.
    ints: [i64; AT_ONCE],
    /// The second components of times.
    rests: [i64; AT_ONCE],
    floats: [f64; AT_ONCE],
    bools: [u8; AT_ONCE],
}

impl Default for Gathered {
    fn default() -> Gathered {
        Gathered {
            ints: [0; AT_ONCE],
            rests: [0; AT_ONCE],
            floats: [0.0; AT_ONCE],
            bools: [0; AT_ONCE],
        }
    }
}

impl Gathered {
    /// Reads the next `len` elements. `failed` receives the index of one that can't be read.
    fn read<S: Source>(
        &mut self,
        source: &mut S,
        types: Types,
        column: u32,
        len: usize,
        mut failed: impl FnMut(usize),
    ) -> OpResult<Numbers<'_>> {
        for at in 0..len {
            let read = match types {
                (I64, F64) => {
                    source.i64(column).and_then(float_of_i64).map(|v| self.floats[at] = v)
                }
                (I64, _) => source.i64(column).map(|v| self.ints[at] = v),
                (F64, _) => source.f64(column).map(|v| self.floats[at] = v),
                (Bool, _) => source.bool(column).map(|v| self.bools[at] = v.into()),
                (NumberType::Logical(ty), _) => source
                    .logical(ty, columns_of_ints(column))
                    .map(|v| [self.ints[at], self.rests[at], _] = v.ints),
            };
            read.inspect_err(|_| failed(at))?;
        }
        Ok(match types.1 {
            I64 => Numbers::I64(&self.ints[..len]),
            F64 => Numbers::F64(&self.floats[..len]),
            Bool => Numbers::Bool(&self.bools[..len]),
            NumberType::Logical(ty) => Numbers::Ints(ty, [&self.ints[..len], &self.rests[..len]]),
        })
    }
}
