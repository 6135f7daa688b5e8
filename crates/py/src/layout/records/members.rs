//! Members of enums.

use std::collections::{HashMap, HashSet};
use std::hash::Hash;
use std::sync::Arc;

use pyo3::ffi;
use pyo3::prelude::*;
use pyo3::types::PyDict;
use serow_core::schema::{Enum, MemberValues};

use super::super::{Object, text::name_of};
use super::DeclaringDict;
use super::declared::DeclaredNames;
use super::lookup::Mro;
use crate::made::name;

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
    ///
    /// # Errors
    /// The reason why members can't be encoded: the value of one fits no schema.
    pub fn of_class(mro: &Mro<'_>, py: Python<'_>) -> Result<Option<Members>, String> {
        let Some((names, objects, map)) = declared(mro)? else { return Ok(None) };
        let Some(name) = mro.name() else { return Ok(None) };
        let places = objects.iter().map(|member| member.addr()).zip(0..).collect();
        let values = if mro.has(&raw mut ffi::PyLong_Type) {
            MemberValues::Ints(values(py, &name, (&names, &objects), int_of)?)
        } else if mro.has(&raw mut ffi::PyUnicode_Type) {
            MemberValues::Strs(values(py, &name, (&names, &objects), str_of)?)
        } else {
            MemberValues::None
        };
        let declared = DeclaredNames::of(mro, [])?;
        let names = names.iter().map(|name| declared.part(name));
        let of = Arc::new(Enum::new(declared.class(name), names).with_values(values));
        Ok(Some(Members { of, objects, places, map }))
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

type DeclaredMembers = (Vec<Arc<str>>, Vec<Object>, DeclaringDict);

/// The names of the members of a class, without aliases, the members, and the dict that declares
/// them.
///
/// # Errors
/// The reason why a name can't be encoded.
fn declared(mro: &Mro<'_>) -> Result<Option<DeclaredMembers>, String> {
    // Not `_member_names_`, which omits named combinations of flags in some versions.
    let map = mro.own(name!("_member_map_"));
    let Some(Ok(map)) = map.map(Bound::cast_into_exact::<PyDict>) else { return Ok(None) };
    let (mut names, mut objects, mut known) = (Vec::new(), Vec::new(), HashSet::new());
    for (name, member) in &map {
        // A second name of a member is an alias.
        if known.insert(member.as_ptr().addr()) {
            // SAFETY: the name is alive.
            let name = unsafe { name_of(name.as_ptr()) };
            names.push(name.map_err(|why| format!("the name of a member {why}"))?);
            // The class keeps its members alive.
            objects.push(member.as_ptr());
        }
    }
    Ok(Some((names, objects, DeclaringDict::new(&map))))
}

/// The values of all members: what they are as ints or strs, whatever their attribute `value` is.
fn values<T: Clone + Eq + Hash>(
    py: Python<'_>,
    of: &str,
    (names, objects): (&[Arc<str>], &[Object]),
    value: fn(&Bound<'_, PyAny>) -> Result<T, &'static str>,
) -> Result<Vec<T>, String> {
    let mut known = HashMap::with_capacity(objects.len());
    let mut values = Vec::with_capacity(objects.len());
    for (name, object) in names.iter().zip(objects) {
        // SAFETY: the class keeps its members alive.
        let member = unsafe { Bound::from_borrowed_ptr(py, *object) };
        let value = value(&member).map_err(|why| {
            format!(
                "the value of member {name} of enum {of} {why}; send .value or .name of the members"
            )
        })?;
        if let Some(first) = known.insert(value.clone(), name) {
            return Err(format!(
                "members {first} and {name} of enum {of} are equal but not the same, so serow \
                 can't tell them apart; send .name of the members"
            ));
        }
        values.push(value);
    }
    Ok(values)
}

/// The value of an instance of `int` or a subclass.
fn int_of(member: &Bound<'_, PyAny>) -> Result<i64, &'static str> {
    let mut overflow = 0;
    // SAFETY: the object is alive and an int, so no Python code runs.
    let value = unsafe { ffi::PyLong_AsLongLongAndOverflow(member.as_ptr(), &raw mut overflow) };
    if overflow == 0 { Ok(value) } else { Err("needs more than 64 bits") }
}

/// The value of an instance of `str` or a subclass.
fn str_of(member: &Bound<'_, PyAny>) -> Result<Arc<str>, &'static str> {
    // SAFETY: the member is alive.
    unsafe { name_of(member.as_ptr()) }
}
