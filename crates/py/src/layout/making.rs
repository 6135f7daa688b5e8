//! State between the objects that are made.

use std::sync::Arc;

use super::build::Building;
use super::foreign::array_maker::ArrayMaker;
use super::logical::Times;
use super::names::PyNames;
use super::{StructObjects, logical};

/// What a caller chooses about the objects that are made.
#[derive(Clone, Default)]
pub struct ObjectChoices {
    /// What becomes of what `datetime`'s classes lack.
    pub times: Times,
    /// Makes arrays of values of type `ndarray`, and of lists of numbers and times.
    pub arrays: Option<Arc<ArrayMaker>>,
    /// Whether objects of the caller's classes are made by calling the classes, which validate.
    pub validates: bool,
    /// Whether records become dicts.
    pub makes_dicts: bool,
}

/// State between objects. Each part is allocated for the first object that needs it: for a message
/// with one row of numbers and strings, allocating both would take longer than making the row.
pub struct Making {
    pub(super) components: Option<Box<logical::LogicalMaking>>,
    pub(super) choices: ObjectChoices,
    /// What makes arrays of the current plan's lists.
    pub(super) arrays: Option<Arc<ArrayMaker>>,
    pub(super) building: Option<Box<Building>>,
    /// The arguments of [`Building::new`].
    pub(super) names: Option<Arc<PyNames>>,
    pub(super) objects: Option<Arc<dyn StructObjects>>,
}

impl Making {
    /// Nothing is allocated yet.
    pub fn new() -> Making {
        Making {
            components: None,
            choices: ObjectChoices::default(),
            arrays: None,
            building: None,
            names: None,
            objects: None,
        }
    }

    /// For types of several components.
    #[inline(always)]
    pub fn components(&mut self) -> &mut logical::LogicalMaking {
        let begin = || Box::new(logical::LogicalMaking::new(self.choices.times));
        self.components.get_or_insert_with(begin)
    }

    /// For containers that are built from their items.
    #[inline(always)]
    pub fn building(&mut self) -> &mut Building {
        let ObjectChoices { validates, makes_dicts, .. } = self.choices;
        self.building.get_or_insert_with(|| {
            let (names, objects) = (self.names.take(), self.objects.take());
            Box::new(Building::new(names, objects, validates, makes_dicts))
        })
    }
}
