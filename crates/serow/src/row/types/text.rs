//! Strings.

use serow_core::layout::{OpResult, Sink, Source};
use serow_core::schema::Type;

use super::super::{Place, ReadRow, Reading, Row, Versions, Writing};

impl Row for str {
    const COLUMNS: Place = Place::STR;
    const IS_NULLABLE: bool = false;
    const IS_HASHABLE: bool = true;

    fn ty() -> Type {
        Type::Str
    }

    fn versions(_of: &mut Versions) {}

    #[cfg_attr(not(debug_assertions), inline(always))]
    fn write<K: Sink>(&self, to: &mut Writing<'_, K>, at: Place) -> OpResult {
        to.str(at, self)
    }
}

impl Row for String {
    const COLUMNS: Place = Place::STR;
    const IS_NULLABLE: bool = false;
    const IS_HASHABLE: bool = true;

    fn ty() -> Type {
        Type::Str
    }

    fn versions(_of: &mut Versions) {}

    #[cfg_attr(not(debug_assertions), inline(always))]
    fn write<K: Sink>(&self, to: &mut Writing<'_, K>, at: Place) -> OpResult {
        to.str(at, self)
    }
}

impl ReadRow for String {
    #[cfg_attr(not(debug_assertions), inline(always))]
    fn read<S: Source>(from: &mut Reading<'_, S>, at: Place) -> OpResult<String> {
        from.str(at).map(str::to_owned)
    }
}
