//! The schema of a type, kept for the calls of a thread that have no codec.

use std::any::TypeId;
use std::cell::RefCell;
use std::sync::Arc;

use serow_core::decode::ReaderSchema;
use serow_core::plan::Defaults;
use serow_core::program::Program;

use super::{Place, Row, Versions};
use crate::{Result, Schema};

/// The most types whose schemas a thread keeps.
const MAX_KEPT: usize = 64;

thread_local! {
    /// The most recently used one is last.
    static KEPT: RefCell<Vec<(TypeId, Arc<ReaderSchema>)>> = const { RefCell::new(Vec::new()) };
}

/// Returns the schema of rows of `T`, and how rows of other schemas are read as rows of `T`.
///
/// # Errors
/// A schema error if serow has no such schema: two fields of one name, or too many fields.
pub fn reader_schema<T: Row + ?Sized>() -> Result<Arc<ReaderSchema>> {
    // Types that differ only in lifetimes have one schema.
    let id = typeid::of::<T>();
    let known = KEPT.try_with(|kept| {
        let kept = &mut *kept.try_borrow_mut().ok()?;
        let at = kept.iter().rposition(|(of, _)| *of == id)?;
        let last = kept.len() - 1;
        kept.swap(at, last);
        Some(kept[last].1.clone())
    });
    if let Ok(Some(known)) = known {
        return Ok(known);
    }
    let made = Arc::new(make::<T>()?);
    let _ = KEPT.try_with(|kept| {
        let Ok(mut kept) = kept.try_borrow_mut() else { return };
        if kept.len() >= MAX_KEPT {
            kept.remove(0);
        }
        kept.push((id, made.clone()));
    });
    Ok(made)
}

fn make<T: Row + ?Sized>() -> Result<ReaderSchema> {
    let program = Program::of(&Schema::new(T::ty())?);
    let tables = &program.to.tables;
    let numbered = (tables.structs.len() as u32, tables.enums.len() as u32);
    let Place { structs, enums, .. } = T::COLUMNS;
    assert!(
        T::COLUMNS.is_of(&program.to.columns) && numbered == (structs, enums),
        "the columns of a type are those of its schema, {}",
        program.schema()
    );
    let mut versions = Versions::default();
    T::versions(&mut versions);
    let (former_names, defaults) = versions.finish(&program.to)?;
    let schema = ReaderSchema::new(program, Defaults::default());
    Ok(schema.with_defaults(defaults).with_former_names(former_names))
}
