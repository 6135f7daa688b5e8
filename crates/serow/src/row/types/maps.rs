//! Maps. A map whose keys are not hashable in every language is a list of pairs.

use std::collections::{BTreeMap, HashMap};
use std::hash::{BuildHasher, Hash};

use serow_core::layout::{OpResult, Sink, Source, TWICE_IN_MAP};
use serow_core::schema::{Container, Type};

use super::super::{Place, ReadRow, Reading, Row, Versions, Writing, tuple};

fn ty<K: Row, V: Row>() -> Type {
    match K::IS_HASHABLE {
        true => Type::Map(Box::new(K::ty()), Box::new(V::ty())),
        false => Type::Sequence(Container::List, Box::new(tuple(vec![K::ty(), V::ty()]))),
    }
}

const fn container<K: Row>() -> Container {
    if K::IS_HASHABLE { Container::Map } else { Container::List }
}

#[inline]
fn write<'t, K: Row + 't, V: Row + 't, O: Sink>(
    entries: impl ExactSizeIterator<Item = (&'t K, &'t V)>,
    to: &mut Writing<'_, O>,
    at: Place,
) -> OpResult {
    to.sequence(container::<K>(), at, entries.len())?;
    let key_at = at.and(Place::INT);
    let value_at = key_at.and(K::COLUMNS);
    for (entry, (key, value)) in entries.enumerate() {
        if !K::IS_HASHABLE {
            to.enter_tuple(2)?;
        }
        key.write(to, key_at).map_err(|fault| to.failure.in_key::<K>(entry, fault))?;
        value.write(to, value_at).map_err(|fault| to.failure.in_value::<K, V>(entry, fault))?;
        if !K::IS_HASHABLE {
            to.leave()?;
        }
    }
    to.leave()
}

/// Reads the entries. `insert` returns whether the map had the key.
#[inline]
fn read<'m, K: ReadRow<'m>, V: ReadRow<'m>, S: Source>(
    from: &mut Reading<'_, 'm, S>,
    at: Place,
    mut insert: impl FnMut(K, V) -> bool,
) -> OpResult {
    let of = K::COLUMNS.and(V::COLUMNS);
    let len = from.sequence(container::<K>(), at, of)?;
    let key_at = at.and(Place::INT);
    let value_at = key_at.and(K::COLUMNS);
    for entry in 0..len {
        if !K::IS_HASHABLE {
            from.enter_tuple(2)?;
        }
        let key = K::read(from, key_at).map_err(|fault| from.failed_in_key::<K>(entry, fault))?;
        let value =
            V::read(from, value_at).map_err(|fault| from.failed_in_value::<K, V>(entry, fault))?;
        if !K::IS_HASHABLE {
            from.leave();
        }
        if insert(key, value) {
            return Err(TWICE_IN_MAP);
        }
    }
    from.leave();
    Ok(())
}

/// What maps from `K` to `V` have in common.
macro_rules! map_of {
    ($key:ident, $value:ident) => {
        const COLUMNS: Place = Place::INT.and($key::COLUMNS).and($value::COLUMNS);
        const IS_HASHABLE: bool = false;

        fn ty() -> Type {
            ty::<$key, $value>()
        }

        fn versions(of: &mut Versions) {
            $key::versions(of);
            $value::versions(of);
        }

        #[inline]
        fn write<O: Sink>(&self, to: &mut Writing<'_, O>, at: Place) -> OpResult {
            write(self.iter(), to, at)
        }
    };
}

impl<K: Row, V: Row> Row for BTreeMap<K, V> {
    map_of!(K, V);
}

impl<K: Row, V: Row, H> Row for HashMap<K, V, H> {
    map_of!(K, V);
}

impl<'m, K: ReadRow<'m> + Ord, V: ReadRow<'m>> ReadRow<'m> for BTreeMap<K, V> {
    fn read<S: Source>(from: &mut Reading<'_, 'm, S>, at: Place) -> OpResult<BTreeMap<K, V>> {
        let mut map = BTreeMap::new();
        read(from, at, |key, value| map.insert(key, value).is_some())?;
        Ok(map)
    }
}

impl<'m, K, V, H> ReadRow<'m> for HashMap<K, V, H>
where
    K: ReadRow<'m> + Eq + Hash,
    V: ReadRow<'m>,
    H: BuildHasher + Default,
{
    fn read<S: Source>(from: &mut Reading<'_, 'm, S>, at: Place) -> OpResult<HashMap<K, V, H>> {
        let mut map = HashMap::default();
        read(from, at, |key, value| map.insert(key, value).is_some())?;
        Ok(map)
    }
}

#[cfg(feature = "indexmap")]
impl<K: Row, V: Row, H> Row for indexmap::IndexMap<K, V, H> {
    map_of!(K, V);
}

#[cfg(feature = "indexmap")]
impl<'m, K, V, H> ReadRow<'m> for indexmap::IndexMap<K, V, H>
where
    K: ReadRow<'m> + Eq + Hash,
    V: ReadRow<'m>,
    H: BuildHasher + Default,
{
    fn read<S: Source>(from: &mut Reading<'_, 'm, S>, at: Place) -> OpResult<Self> {
        let mut map = indexmap::IndexMap::default();
        read(from, at, |key, value| map.insert(key, value).is_some())?;
        Ok(map)
    }
}
