//! Cursor over contiguous items: a base pointer plus a compile-time offset, with a stack for the
//! containers around it.

use crate::ir::{Built, Emitter, Int, Pointer, Value};

/// The address of an item: a base pointer and an offset in bytes that is known while code is emitted.
#[derive(Clone, Copy)]
pub(super) struct Cursor<'ctx> {
    pub(super) base: Pointer<'ctx>,
    pub(super) offset: u64,
}

/// The cursor of the innermost container, with a stack of the cursors of the containers around it.
#[derive(Clone)]
pub(super) struct CursorStack<'ctx> {
    pub(super) next: Cursor<'ctx>,
    /// The size of an item in bytes.
    size: u64,
    /// The cursors of the outer containers, outermost first.
    outer: Vec<Cursor<'ctx>>,
    /// For each sequence around the cursor: its first item, and the size of an element.
    sequences: Vec<(Pointer<'ctx>, u64)>,
    /// The first item of the run that a loop converts.
    run: Option<Cursor<'ctx>>,
}

impl<'ctx> CursorStack<'ctx> {
    /// Creates a cursor over items of `size` bytes. [`CursorStack::begin`] sets its base.
    pub(super) fn new(e: &Emitter<'ctx, '_>, size: u64) -> CursorStack<'ctx> {
        let next = Cursor { base: e.null(), offset: 0 };
        CursorStack { next, size, outer: Vec::new(), sequences: Vec::new(), run: None }
    }

    /// Returns the values that stay the same within one container.
    pub(super) fn fixed(&self) -> Vec<Value<'ctx>> {
        vec![self.next.base.into()]
    }

    /// Replaces the fixed values in another function.
    pub(super) fn set_fixed(&mut self, fixed: &[Value<'ctx>]) {
        self.next.base = fixed[0].into_pointer_value();
    }

    /// Moves to item `index` of the outermost items.
    pub(super) fn begin(
        &mut self,
        e: &Emitter<'ctx, '_>,
        items: Pointer<'ctx>,
        index: Int<'ctx>,
    ) -> Built {
        let base = e.beyond(items, e.mul(index, e.int(self.size))?)?;
        self.next = Cursor { base, offset: 0 };
        Ok(())
    }

    /// Returns the address of the next item.
    pub(super) fn here(&self, e: &Emitter<'ctx, '_>) -> Built<Pointer<'ctx>> {
        e.at(self.next.base, self.next.offset)
    }

    /// Returns the address of the item before the next one.
    pub(super) fn before(&self, e: &Emitter<'ctx, '_>) -> Built<Pointer<'ctx>> {
        e.at(self.next.base, self.next.offset - self.size)
    }

    /// Moves past the next item.
    pub(super) fn step(&mut self) {
        self.next.offset += self.size;
    }

    /// Enters a container whose items begin at `inside`.
    pub(super) fn enter(&mut self, inside: Cursor<'ctx>) {
        self.outer.push(std::mem::replace(&mut self.next, inside));
    }

    /// Leaves the innermost container.
    pub(super) fn leave(&mut self) {
        if let Some(outer) = self.outer.pop() {
            self.next = outer;
        }
    }

    /// Makes the container just entered a sequence. Its elements have `items` items each.
    pub(super) fn begin_sequence(&mut self, e: &Emitter<'ctx, '_>, items: u64) -> Built {
        self.sequences.push((self.here(e)?, items * self.size));
        Ok(())
    }

    /// Moves to element `index` of the innermost sequence.
    pub(super) fn element(&mut self, e: &Emitter<'ctx, '_>, index: Int<'ctx>) -> Built {
        if let Some(&(items, size)) = self.sequences.last() {
            let base = e.beyond(items, e.mul(index, e.int(size))?)?;
            self.next = Cursor { base, offset: 0 };
        }
        Ok(())
    }

    /// Moves to item `index` of the run that begins at the next item.
    pub(super) fn run_item(&mut self, e: &Emitter<'ctx, '_>, index: Int<'ctx>) -> Built {
        let first = *self.run.get_or_insert(self.next);
        let base = e.beyond(first.base, e.mul(index, e.int(self.size))?)?;
        self.next = Cursor { base, ..first };
        Ok(())
    }

    /// Moves past the `count` items of the run.
    pub(super) fn end_run(&mut self, count: u32) {
        if let Some(Cursor { base, offset }) = self.run.take() {
            self.next = Cursor { base, offset: offset + u64::from(count) * self.size };
        }
    }

    /// Leaves the innermost sequence.
    pub(super) fn leave_sequence(&mut self) {
        self.sequences.pop();
        self.leave();
    }
}
