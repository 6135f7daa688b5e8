//! Members of enums.

use std::collections::HashMap;
use std::collections::hash_map::Entry;
use std::sync::Arc;

use pyo3::prelude::*;
use pyo3::types::PyDict;
use serow_core::schema::Enum;

use super::super::Object;
use super::DeclaringDict;
use super::describe::text_of;
use super::lookup::Mro;

/// The members of an enum, without aliases.
pub struct Members {
    of: Arc<Enum>,
    objects: Vec<Object>,
    places: HashMap<usize, u32>,
    /// The members by name, in a dict of the class.
    pub map: DeclaringDict,
}

/// Maximum members for a linear search.
const FEW: usize = 8;

impl Members {
    /// The members of a class, if it is an enum and all names are valid text.
    pub fn of_class(mro: &Mro<'_>, py: Python<'_>) -> Option<Members> {
        // Not `_member_names_`, which omits named combinations of flags in some versions.
        let map = mro.own(pyo3::intern!(py, "_member_map_"))?;
        let (mut members, mut objects, mut places) = (Vec::new(), Vec::new(), HashMap::new());
        let map = map.cast_into_exact::<PyDict>().ok()?;
        for (name, member) in &map {
            // A second name of a member is an alias.
            if let Entry::Vacant(place) = places.entry(member.as_ptr() as usize) {
                place.insert(objects.len() as u32);
                // SAFETY: the name is alive.
                members.push(unsafe { text_of(name.as_ptr()) }?);
                // The class keeps its members alive.
                objects.push(member.as_ptr());
            }
        }
        let of = Arc::new(Enum { name: mro.name()?.into(), members });
        Some(Members { of, objects, places, map: DeclaringDict::new(&map) })
    }

    pub fn of(&self) -> Arc<Enum> {
        self.of.clone()
    }

    /// The index of the member `object`.
    ///
    /// # Safety
    /// `object` must be alive.
    #[inline(always)]
    pub unsafe fn member(&self, object: Object) -> Option<u32> {
        if self.objects.len() <= FEW {
            return self.objects.iter().position(|&member| member == object).map(|at| at as u32);
        }
        self.places.get(&(object as usize)).copied()
    }
}
