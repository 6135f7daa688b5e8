//! What compiled code gets of Rust's values, and the helpers that it calls.
//!
//! The values of a struct lie in the order of its names. If those are the plan's names, compiled code reads the
//! values in place. A dict may have its keys in another order or lack some, and a dict that is read as a map has
//! its keys elsewhere. Then a helper copies the bytes of the values into one run, in the plan's order; what the
//! values point to stays where it is.

use std::mem::MaybeUninit;
use std::ptr;
use std::sync::Arc;

use super::reader::fields_of;
use crate::layout::{Components, ComponentsContext};
use crate::plan::Tables;
use crate::schema::{Enum, Logical, Names};
use crate::value::Value;

/// The first byte that stands for a field that a dict does not have. No value begins with it.
pub const MISSING: u8 = u8::MAX;

/// The most dicts of one row that are copied. A row with more bails out to the interpreter, which copies one at
/// a time.
const MAX_RUNS: usize = 1 << 14;

/// What compiled code gets of the rows that it reads.
#[derive(Debug)]
#[repr(C)]
pub struct ValueContext {
    /// The first row of all.
    pub rows: *const Value,
    /// The parts of a value that was read.
    pub parts: ComponentsContext,
    /// The names of the plan's structs.
    pub structs: *const Arc<Names>,
    /// The plan's enums.
    pub enums: *const Arc<Enum>,
    /// The number of runs that the current row uses. Compiled code sets it to zero at the start of a row.
    pub used: usize,
    runs: Vec<Box<[MaybeUninit<Value>]>>,
    tables: *const Tables,
}

impl ValueContext {
    /// For `rows`, before the plan's tables are set.
    pub fn new(rows: &[Value]) -> ValueContext {
        ValueContext {
            rows: rows.as_ptr(),
            parts: ComponentsContext::default(),
            structs: ptr::null(),
            enums: ptr::null(),
            used: 0,
            runs: Vec::new(),
            tables: ptr::null(),
        }
    }

    /// Set the plan's tables, which must stay in place until `exit_jit`.
    pub fn set_tables(&mut self, tables: &Tables) {
        self.structs = tables.structs.as_ptr();
        self.enums = tables.enums.as_ptr();
        self.tables = tables;
    }

    fn tables(&self) -> &Tables {
        // SAFETY: `enter_jit` sets the tables, which the reader keeps, before compiled code can call this.
        unsafe { &*self.tables }
    }

    /// Copy `items` into a run. Null if the row has used all runs.
    fn lay_out(
        &mut self,
        items: impl ExactSizeIterator<Item = MaybeUninit<Value>>,
    ) -> *const Value {
        if self.used == MAX_RUNS {
            return ptr::null();
        }
        if self.runs.len() == self.used {
            self.runs.push(Box::default());
        }
        let run = &mut self.runs[self.used];
        self.used += 1;
        if run.len() < items.len() {
            *run = Box::new_uninit_slice(items.len());
        }
        for (place, item) in run.iter_mut().zip(items) {
            *place = item;
        }
        run.as_ptr().cast()
    }
}

/// The bytes of a value, or what stands for a field that is missing.
fn copy(value: Option<&Value>) -> MaybeUninit<Value> {
    let mut copy = MaybeUninit::uninit();
    // SAFETY: the copy is as large as a value, which begins with its tag. It is never dropped.
    unsafe {
        match value {
            Some(value) => ptr::copy_nonoverlapping(value, copy.as_mut_ptr(), 1),
            None => copy.as_mut_ptr().cast::<u8>().write(MISSING),
        }
    }
    copy
}

/// The value that compiled code reads at `item`, unless it is missing there.
///
/// # Safety
/// `item` must be a value of rows that live for `'a`, or be in a run that was copied from them.
pub unsafe fn item<'a>(item: *const Value) -> Option<&'a Value> {
    // SAFETY: the first byte is set in any case, and if it is a tag, then all of the value is.
    unsafe { (*item.cast::<u8>() != MISSING).then(|| &*item) }
}

/// Whether `value` is of a type that is made of parts.
pub fn is(value: &Value, ty: Logical) -> bool {
    match value {
        Value::Logical(made) => made.ty() == ty,
        Value::I64(_) => ty == Logical::Int,
        _ => false,
    }
}

/// The parts of `value` as one of type `ty`, if it is one.
pub fn parts(value: &Value, ty: Logical) -> Option<Components<'_>> {
    match value {
        Value::Logical(made) if made.ty() == ty => Some(made.parts()),
        Value::I64(v) if ty == Logical::Int => {
            Some(Components { ints: [*v, 0, 0], ..Components::default() })
        }
        _ => None,
    }
}

/// Whether `value` is a dict, with fixed keys or any.
pub fn is_dict(value: &Value) -> bool {
    match value {
        Value::Map(_) => true,
        Value::Struct(names, _) => names.name.is_none(),
        _ => false,
    }
}

/// The index of `value` among the members of the enum that is `table` in the plan, if it is one of
/// them.
pub fn member(value: &Value, tables: &Tables, table: u32) -> Option<u32> {
    match value {
        Value::Enum(of, member)
            if *of == tables.enums[table as usize] && (*member as usize) < of.members.len() =>
        {
            Some(*member)
        }
        _ => None,
    }
}

/// For compiled code, the index of the member that `value` is.
pub fn member_of(context: &ValueContext, value: &Value, table: u32) -> Option<u32> {
    member(value, context.tables(), table)
}

/// For compiled code, the values of a struct as the plan has them, one after another; null if `value` is
/// no such struct, or if there were too many of them.
pub fn fields(context: &mut ValueContext, value: &Value, table: u32) -> *const Value {
    let names = &context.tables().structs[table as usize];
    match value {
        Value::Struct(own, fields) if own == names && fields.len() == names.fields.len() => {
            fields.as_ptr()
        }
        _ => match fields_of(names, value) {
            Ok(fields) => context.lay_out(fields.into_iter().map(copy)),
            Err(_) => ptr::null(),
        },
    }
}

/// For compiled code, the keys and values of a dict with fixed keys, one after another; null if `value`
/// is none, or if there were too many of them.
pub fn entries(context: &mut ValueContext, value: &Value) -> *const Value {
    let Value::Struct(names, fields) = value else { return ptr::null() };
    if names.name.is_some() || names.fields.len() != fields.len() {
        return ptr::null();
    }
    let items = (0..2 * fields.len()).map(|at| match at % 2 {
        // SAFETY: the copy is never dropped, and the text stays where it is.
        0 => MaybeUninit::new(Value::Str(unsafe { ptr::read(&names.fields[at / 2]) })),
        _ => copy(Some(&fields[at / 2])),
    });
    context.lay_out(items)
}
