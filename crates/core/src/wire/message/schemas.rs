//! The schemas of a message, and the programs of those that occurred lately.

use std::collections::{BTreeMap, VecDeque};
use std::sync::Arc;

use xxhash_rust::xxh3::xxh3_64;

use crate::error::{Error, Result};
use crate::limits::{MAX_SCHEMA_LEN, MESSAGE_PROGRAMS, SHARED_TYPE_LIST, max_prepared};
use crate::memory;
use crate::program::Program;
use crate::schema::Schema;

/// Estimated bytes of memory that a program takes, and for each byte of its schema.
const PROGRAM_BYTES: usize = 2 << 10;
const PLAN_BYTES: usize = 256;
/// Schemas of up to this many bytes have plans that need little memory.
const SHORT_SCHEMA: usize = 1024;
/// Upper bound of the memory that is probed before a plan is made. A damaged message must not cause
/// a larger request.
const MOST_CHECKED: usize = 512 << 10;

/// The schemas so far. The programs of the latest ones are kept; those of others are made again if a
/// frame names their schema.
#[derive(Debug, Default)]
pub(super) struct Schemas {
    /// Fingerprint and program of the last frame's schema, which is usually the only one. It becomes known
    /// when a frame has another.
    last: Option<(u64, Arc<Program>)>,
    known: BTreeMap<u64, Known>,
    /// Fingerprints of the schemas with programs, the oldest program first.
    with_programs: VecDeque<u64>,
    /// The estimated memory of these programs.
    memory: usize,
    /// Bytes of the type lists whose programs were made again.
    again: usize,
    /// A program that the caller already has. It is used if its schema occurs.
    ready: Option<Arc<Program>>,
}

#[derive(Debug)]
struct Known {
    type_list: Box<[u8]>,
    program: Option<Arc<Program>>,
}

fn memory_of(type_list: &[u8]) -> usize {
    PROGRAM_BYTES + PLAN_BYTES * type_list.len()
}

impl Schemas {
    /// Uses `program` for frames of its schema.
    pub fn set_program(&mut self, program: Arc<Program>) {
        self.ready = Some(program);
    }

    /// Begins with another message, which has no schemas of earlier ones.
    pub fn clear(&mut self) {
        if self.last.is_some() || !self.known.is_empty() {
            *self = Schemas { ready: self.ready.take(), ..Schemas::default() };
        }
    }

    /// Returns whether a frame has had the schema with this fingerprint.
    pub fn has(&self, fingerprint: u64) -> bool {
        let is_last = self.last.as_ref().is_some_and(|(of, _)| *of == fingerprint);
        is_last || self.known.contains_key(&fingerprint)
    }

    /// Another frame was asked for by its number, so what was done again before does not count.
    pub fn jump(&mut self) {
        self.again = 0;
    }

    /// Returns the program for a schema. `bytes` is the schema's type list or its fingerprint, and
    /// `read` the number of bytes of the message up to here.
    ///
    /// # Errors
    /// A decode error if it is no schema, or one that no frame had. A limit error if too much time
    /// would go into making programs again.
    pub fn program(&mut self, in_band: bool, bytes: &[u8], read: usize) -> Result<Arc<Program>> {
        let fingerprint = match bytes.first_chunk() {
            Some(named) if !in_band => u64::from_le_bytes(*named),
            _ => xxh3_64(bytes),
        };
        if let Some((of, program)) = &self.last
            && *of == fingerprint
            && (!in_band || program.schema().as_bytes() == bytes)
        {
            return Ok(program.clone());
        }
        if let Some((of, program)) = self.last.take() {
            self.keep(of, &program)?;
        }
        let known = self.known.get(&fingerprint);
        let program = match known.filter(|known| !in_band || *known.type_list == *bytes) {
            Some(Known { program: Some(program), .. }) => program.clone(),
            Some(Known { type_list, .. }) => {
                // A type list in band has bytes of its own, so its program costs no more than others.
                if !in_band {
                    self.again = self.again.saturating_add(type_list.len());
                }
                if self.again > max_prepared(read) {
                    return Err(Error::limit(
                        "the message goes back to too many of its schemas again and again; write \
                         the rows of each schema to a message of their own",
                    ));
                }
                self.make(type_list)?
            }
            None if in_band => self.make(bytes)?,
            None => return Err(Error::decode("it names a schema that no frame before it has")),
        };
        self.last = Some((fingerprint, program.clone()));
        Ok(program)
    }

    fn make(&self, bytes: &[u8]) -> Result<Arc<Program>> {
        if bytes.len() > MAX_SCHEMA_LEN {
            return Err(Error::decode("its schema is too large"));
        }
        // The emergency reserve covers the plan of a short schema. The check costs an allocation.
        if bytes.len() > SHORT_SCHEMA {
            let likely = PLAN_BYTES * bytes.len();
            memory::check(likely.min(MOST_CHECKED)).map_err(|_| Error::no_memory())?;
        }
        Ok(match &self.ready {
            Some(program) if program.schema().as_bytes() == bytes => program.clone(),
            // The process keeps a limited number of shared plans, but their size has no limit. So
            // the plan of a wide schema is not shared with later messages.
            _ if bytes.len() > SHARED_TYPE_LIST => {
                Arc::new(Program::new(&Schema::from_bytes(bytes)?))
            }
            _ => match Program::recent(bytes) {
                Some(program) => program,
                None => Program::shared(&Schema::from_bytes(bytes)?),
            },
        })
    }

    /// Keeps a program that is not kept yet, in place of older ones if they take too much memory.
    fn keep(&mut self, fingerprint: u64, program: &Arc<Program>) -> Result<()> {
        let is_kept =
            |known: &Known| known.program.as_ref().is_some_and(|it| Arc::ptr_eq(it, program));
        if self.known.get(&fingerprint).is_some_and(is_kept) {
            return Ok(());
        }
        let type_list = program.schema().as_bytes();
        let copy = memory::copied(type_list).map_err(|_| Error::no_memory())?;
        self.with_programs.try_reserve(1).map_err(|_| Error::no_memory())?;
        let known = Known { type_list: copy.into(), program: Some(program.clone()) };
        let replaced = self.known.insert(fingerprint, known);
        // Of two schemas with one fingerprint, the later one counts.
        if let Some(Known { type_list, program: Some(_) }) = replaced {
            self.with_programs.retain(|of| *of != fingerprint);
            self.memory -= memory_of(&type_list);
        }
        self.memory += memory_of(type_list);
        self.with_programs.push_back(fingerprint);
        while self.memory > MESSAGE_PROGRAMS
            && self.with_programs.len() > 1
            && let Some(oldest) = self.with_programs.pop_front()
        {
            if let Some(known) = self.known.get_mut(&oldest) {
                known.program = None;
                self.memory -= memory_of(&known.type_list);
            }
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::error::ErrorKind;

    fn schema(n: usize, fields: usize) -> Schema {
        Schema::parse(&format!(
            "R{n}{{{}}}",
            (0..fields).map(|i| format!("f{i}: i64, ")).collect::<String>()
        ))
        .unwrap()
    }

    #[test]
    #[cfg_attr(miri, ignore = "it takes many schemas to fill the memory")]
    fn programs_of_old_schemas_are_made_again() {
        let mut schemas = Schemas::default();
        let all: Vec<Schema> = (0..100).map(|n| schema(n, 2000)).collect();
        for schema in &all {
            let program = schemas.program(true, schema.as_bytes(), 0).unwrap();
            assert_eq!(program.schema(), schema);
            assert!(schemas.memory <= MESSAGE_PROGRAMS);
        }
        let kept = schemas.with_programs.len();
        assert!(kept > 1 && kept < 100);
        let name = |n: usize| all[n].fingerprint().to_le_bytes();
        for n in [0, 99, 1, 0] {
            let program = schemas.program(false, &name(n), 1 << 20).unwrap();
            assert_eq!(*program.schema(), all[n]);
        }
        // Only two programs were made again.
        assert_eq!(schemas.again, all[0].as_bytes().len() + all[1].as_bytes().len());
        let mut fault = None;
        for n in (0..100).cycle().take(10_000) {
            if let Err(error) = schemas.program(false, &name(n), 1 << 10) {
                fault = Some(error);
                break;
            }
        }
        assert_eq!(fault.unwrap().kind(), ErrorKind::Limit);
        assert!(schemas.again <= max_prepared(1 << 10) + all[0].as_bytes().len() + 8);
        assert!(schemas.program(false, &[7; 8], 0).is_err());
    }

    #[test]
    fn schemas_without_programs_take_few_bytes() {
        let mut schemas = Schemas::default();
        for n in 0..crate::testing::sized(60_000, 30) {
            schemas.program(true, schema(n, 0).as_bytes(), 0).unwrap();
        }
        assert!(schemas.memory <= MESSAGE_PROGRAMS);
        assert_eq!(schemas.again, 0);
    }
}
