//! Where a layout stands whose containers hold their items side by side: an address and some bytes after
//! it, which are known while code is emitted, and the same in the containers around.

use super::emitter::{Built, Emitter, Int, Pointer, Value};

/// The place of an item: some bytes after an address.
#[derive(Clone, Copy)]
pub(super) struct Cursor<'ctx> {
    pub(super) base: Pointer<'ctx>,
    pub(super) offset: u64,
}

/// The place of the next item, and where it goes on around it.
#[derive(Clone)]
pub(super) struct Nest<'ctx> {
    pub(super) next: Cursor<'ctx>,
    /// The bytes of an item.
    size: u64,
    /// In the containers around.
    outer: Vec<Cursor<'ctx>>,
    /// The items of the sequences around, and the bytes of an element.
    sequences: Vec<(Pointer<'ctx>, u64)>,
}

impl<'ctx> Nest<'ctx> {
    /// Nowhere, among items of `size` bytes.
    pub(super) fn new(e: &Emitter<'ctx, '_>, size: u64) -> Nest<'ctx> {
        let next = Cursor { base: e.pointer.const_null(), offset: 0 };
        Nest { next, size, outer: Vec::new(), sequences: Vec::new() }
    }

    /// What stays the same within one container.
    pub(super) fn fixed(&self) -> Vec<Value<'ctx>> {
        vec![self.next.base.into()]
    }

    /// The same in another function.
    pub(super) fn set_fixed(&mut self, fixed: &[Value<'ctx>]) {
        self.next.base = fixed[0].into_pointer_value();
    }

    /// Stand before item `index` of those at `items`, around which there is nothing.
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

    /// The next item's place.
    pub(super) fn here(&self, e: &Emitter<'ctx, '_>) -> Built<Pointer<'ctx>> {
        e.at(self.next.base, self.next.offset)
    }

    /// The place of the item before the next.
    pub(super) fn before(&self, e: &Emitter<'ctx, '_>) -> Built<Pointer<'ctx>> {
        e.at(self.next.base, self.next.offset - self.size)
    }

    /// Step over the next item.
    pub(super) fn step(&mut self) {
        self.next.offset += self.size;
    }

    /// Step into a container whose items begin at `inside`.
    pub(super) fn enter(&mut self, inside: Cursor<'ctx>) {
        self.outer.push(std::mem::replace(&mut self.next, inside));
    }

    /// Step out of it.
    pub(super) fn leave(&mut self) {
        if let Some(outer) = self.outer.pop() {
            self.next = outer;
        }
    }

    /// Have the container that was entered be a sequence whose elements are so many items each.
    pub(super) fn begin_sequence(&mut self, e: &Emitter<'ctx, '_>, items: u64) -> Built {
        self.sequences.push((self.here(e)?, items * self.size));
        Ok(())
    }

    /// Stand before element `index` of the innermost sequence.
    pub(super) fn element(&mut self, e: &Emitter<'ctx, '_>, index: Int<'ctx>) -> Built {
        if let Some(&(items, size)) = self.sequences.last() {
            let base = e.beyond(items, e.mul(index, e.int(size))?)?;
            self.next = Cursor { base, offset: 0 };
        }
        Ok(())
    }

    /// Step out of the innermost sequence.
    pub(super) fn leave_sequence(&mut self) {
        self.sequences.pop();
        self.leave();
    }
}
