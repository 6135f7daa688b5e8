//! Members of enums.

use std::collections::HashMap;
use std::collections::hash_map::Entry;
use std::sync::Arc;

use pyo3::prelude::*;
use pyo3::types::PyDict;
use serow_core::schema::Enum;

use super::super::Object;
use super::describe::text_of;
use super::lookup::Mro;

/// The members of an enum, without aliases.
pub struct Members {
    of: Arc<Enum>,
    objects: Vec<Object>,
    places: HashMap<usize, u32>,
}

/// Enums of so few members have them compared one by one.
const FEW: usize = 8;

impl Members {
    /// Those of a class, if it is one of an enum and all names are text.
    pub fn of_class(mro: &Mro<'_>, py: Python<'_>) -> Option<Members> {
        // In `_member_names_` some Pythons leave out combinations of flags that have a name.
        let map = mro.own(pyo3::intern!(py, "_member_map_"))?;
        let (mut members, mut objects, mut places) = (Vec::new(), Vec::new(), HashMap::new());
        for (name, member) in map.cast_exact::<PyDict>().ok()? {
            // A name for a member that has one is an alias.
            if let Entry::Vacant(place) = places.entry(member.as_ptr() as usize) {
                place.insert(objects.len() as u32);
                // SAFETY: the name is alive.
                members.push(unsafe { text_of(name.as_ptr()) }?);
                // The class holds its members.
                objects.push(member.as_ptr());
            }
        }
        Some(Members { of: Arc::new(Enum { name: mro.name()?.into(), members }), objects, places })
    }

    /// The names.
    pub fn of(&self) -> Arc<Enum> {
        self.of.clone()
    }

    /// Which of them `object` is.
    ///
    /// # Safety
    /// It must be alive.
    #[inline(always)]
    pub unsafe fn member(&self, object: Object) -> Option<u32> {
        if self.objects.len() <= FEW {
            return self.objects.iter().position(|&member| member == object).map(|at| at as u32);
        }
        self.places.get(&(object as usize)).copied()
    }
}
