//! Messages: a header and a sequence of frames. A flag marks the last frame.
//!
//! ```text
//! message    "SROW", version (1), flags (0), two bytes of 0, frames
//! frame       0  wire (one byte): 0 row wire, 1 frame wire
//!             1  flags (one byte): 1 last frame, 2 schema in band
//!             2  two bytes of 0
//!             4  rows (4 bytes)
//!             8  bytes of the schema (4 bytes), or 0
//!            12  four bytes of 0
//!            16  bytes of the body (8 bytes)
//!            24  schema, or the 8-byte fingerprint of a schema in an earlier frame
//!                body
//!                xxh3-64 of all bytes of the frame before it (8 bytes)
//! ```
//!
//! All numbers are little-endian.

use std::collections::{BTreeMap, HashSet};
use std::sync::Arc;

use xxhash_rust::xxh3::xxh3_64;

use crate::bytes::out::Out;
use crate::error::{Error, ErrorKind, Fault, Result};
use crate::limits::{MAX_FRAME_ROWS, MAX_NAMES, MAX_TYPE_LIST, SHARED_TYPE_LIST};
use crate::memory;
use crate::program::Program;
use crate::schema::Schema;

/// The first bytes of a message.
pub const MAGIC: &[u8; 4] = b"SROW";
/// The version of the format that this crate reads and writes.
pub const VERSION: u8 = 1;
const HEADER: [u8; 8] = [b'S', b'R', b'O', b'W', VERSION, 0, 0, 0];
const FRAME_HEADER: usize = 24;
/// Bytes of the checksum that follows a frame's body.
pub const CHECKSUM: usize = 8;
/// Estimated bytes of memory that a plan takes for each byte of its schema.
const PLAN_BYTES: usize = 256;
/// Schemas of up to this many bytes have plans that need little memory.
const SHORT_SCHEMA: usize = 1024;
/// Upper bound of the memory that is probed before a plan is made. A damaged message must not cause
/// a larger request.
const MOST_CHECKED: usize = 512 << 10;
const LAST: u8 = 1;
const IN_BAND: u8 = 2;

/// The encoding of the rows in the body of a frame.
///
/// ```
/// use serow_core::wire::message::Wire;
///
/// assert_eq!(Wire::parse("row"), Some(Wire::Row));
/// assert_eq!(Wire::Frame.name(), "frame");
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Wire {
    /// One record after another; see [`row`](crate::wire::row).
    Row,
    /// One column after another; see [`frame`](crate::wire::frame).
    Frame,
}

impl Wire {
    /// Returns the wire with this name, `row` or `frame`.
    pub fn parse(name: &str) -> Option<Wire> {
        match name {
            "row" => Some(Wire::Row),
            "frame" => Some(Wire::Frame),
            _ => None,
        }
    }

    /// Returns the wire's name.
    pub fn name(self) -> &'static str {
        match self {
            Wire::Row => "row",
            Wire::Frame => "frame",
        }
    }
}

/// Writes a message, frame by frame.
pub struct MessageWriter {
    /// Offset of the frame that is being written or waits for its checksum.
    frame: usize,
    body: usize,
    /// Whether `frame` and `body` describe such a frame.
    open: bool,
    /// The first schema in the message, usually the only one, and the others.
    first: Option<Schema>,
    others: HashSet<Schema>,
}

impl MessageWriter {
    /// Begins a message at the end of `out`.
    pub fn begin(out: &mut Out<'_>) -> std::result::Result<MessageWriter, Fault> {
        out.extend(&HEADER)?;
        Ok(MessageWriter { frame: 0, body: 0, open: false, first: None, others: HashSet::new() })
    }

    /// Begins a frame. Everything that is appended until `end_frame` is its body.
    pub fn begin_frame(
        &mut self,
        schema: &Schema,
        wire: Wire,
        out: &mut Out<'_>,
    ) -> std::result::Result<(), Fault> {
        self.seal(0, out)?;
        self.frame = out.len();
        let known = self.first.as_ref() == Some(schema) || self.others.contains(schema);
        let mut header = [0; FRAME_HEADER];
        header[0] = (wire == Wire::Frame) as u8;
        if known {
            out.extend(&header)?;
            out.extend(&schema.fingerprint().to_le_bytes())?;
        } else {
            header[1] = IN_BAND;
            header[8..12].copy_from_slice(&(schema.as_bytes().len() as u32).to_le_bytes());
            out.extend(&header)?;
            out.extend(schema.as_bytes())?;
            match &self.first {
                None => self.first = Some(schema.clone()),
                Some(_) => drop(self.others.insert(schema.clone())),
            }
        }
        self.body = out.len();
        self.open = true;
        Ok(())
    }

    /// Removes the frame of `schema` that was begun last. It must have no rows.
    pub fn abandon_frame(&mut self, schema: &Schema, out: &mut Out<'_>) {
        if out.written()[self.frame + 1] & IN_BAND != 0 {
            match self.first.as_ref() == Some(schema) {
                true => self.first = None,
                false => drop(self.others.remove(schema)),
            }
        }
        out.truncate(self.frame);
        self.open = false;
    }

    /// Ends the frame, which has `rows` rows. Its checksum is written later, when it is known
    /// whether another frame follows.
    pub fn end_frame(&mut self, rows: usize, out: &mut Out<'_>) {
        debug_assert!(rows <= MAX_FRAME_ROWS);
        let body = (out.len() - self.body) as u64;
        let header = &mut out.written_mut()[self.frame..];
        header[4..8].copy_from_slice(&(rows as u32).to_le_bytes());
        header[16..24].copy_from_slice(&body.to_le_bytes());
    }

    fn seal(&mut self, flag: u8, out: &mut Out<'_>) -> std::result::Result<(), Fault> {
        if !std::mem::take(&mut self.open) {
            return Ok(());
        }
        let frame = &mut out.written_mut()[self.frame..];
        frame[1] |= flag;
        let checksum = xxh3_64(frame);
        out.extend(&checksum.to_le_bytes())
    }

    /// Ends the message, which must have at least one frame.
    pub fn finish(&mut self, out: &mut Out<'_>) -> std::result::Result<(), Fault> {
        self.seal(LAST, out)
    }
}

fn no_message() -> Error {
    Error::decode("this is not a serow message: it does not begin with SROW").at_offset(0)
}

/// A frame of a message whose checksum is correct. Its body is not checked yet.
#[derive(Clone, Debug)]
pub struct RawFrame<'a> {
    /// The frame's number in its message, from 0.
    pub index: usize,
    /// The program for its schema. Frames of equal schemas share it.
    pub program: Arc<Program>,
    /// The encoding of the rows in the body.
    pub wire: Wire,
    /// The number of rows.
    pub rows: usize,
    /// The number of rows in all earlier frames.
    pub first_row: usize,
    /// Offset of the frame in the message.
    pub at: usize,
    /// Offset of the frame's body in the message.
    pub body_at: usize,
    /// The body.
    pub body: &'a [u8],
    /// The body and the checksum after it.
    pub body_and_checksum: &'a [u8],
}

/// Reads a message, frame by frame.
#[derive(Debug)]
pub struct MessageReader<'a> {
    data: &'a [u8],
    at: usize,
    index: usize,
    rows: usize,
    last: bool,
    /// Fingerprint and program of the first schema, usually the only one.
    first: Option<(u64, Arc<Program>)>,
    /// Programs of the other schemas so far, by fingerprint.
    plans: BTreeMap<u64, Arc<Program>>,
    /// A program that the caller already has. It is used if its schema occurs.
    ready: Option<Arc<Program>>,
}

impl<'a> MessageReader<'a> {
    /// Creates a reader of the message in `data`.
    ///
    /// # Errors
    /// A decode error if `data` is not a message, or has another version of the format.
    pub fn new(data: &'a [u8]) -> Result<MessageReader<'a>> {
        match data.get(..HEADER.len()) {
            Some(header) if header == HEADER => Ok(MessageReader {
                data,
                at: HEADER.len(),
                index: 0,
                rows: 0,
                last: false,
                first: None,
                plans: BTreeMap::new(),
                ready: None,
            }),
            Some([b'S', b'R', b'O', b'W', VERSION, ..]) => {
                Err(Error::decode("the message has flags that this version of serow does not know")
                    .at_offset(0))
            }
            Some([b'S', b'R', b'O', b'W', version, ..]) => Err(Error::decode(format!(
                "the message has version {version} of the format, but this serow reads version \
                 {VERSION}; read it with the serow that wrote it, or with a later one"
            ))
            .at_offset(0)),
            Some(_) => Err(no_message()),
            None if MAGIC.starts_with(&data[..data.len().min(4)]) => {
                Err(Error::decode(format!("the message is cut after {} bytes", data.len()))
                    .at_offset(0))
            }
            None => Err(no_message()),
        }
    }

    /// Uses `program` for frames of its schema.
    pub fn with_program(mut self, program: Arc<Program>) -> MessageReader<'a> {
        self.ready = Some(program);
        self
    }

    /// Returns the next frame, or `None` after the last.
    ///
    /// # Errors
    /// A decode error if the frame is cut or damaged, or if bytes follow the last frame.
    pub fn next_frame(&mut self) -> Result<Option<RawFrame<'a>>> {
        let (begin, data) = (self.at, self.data);
        if self.last {
            return match data.len() - begin {
                0 => Ok(None),
                spare => Err(Error::decode(format!(
                    "there are {spare} bytes after the message's last frame, which ends at byte {begin}"
                ))
                .at_offset(begin)),
            };
        }
        let index = self.index;
        let in_frame = |what: &str| {
            Error::decode(format!("frame {index} (at byte {begin}): {what}")).at_offset(begin)
        };
        let cut = || in_frame(&format!("the message is cut: it ends at byte {}", data.len()));
        let header: &[u8; FRAME_HEADER] = data[begin..].first_chunk().ok_or_else(cut)?;
        let word =
            |at| u32::from_le_bytes([header[at], header[at + 1], header[at + 2], header[at + 3]]);
        let in_band = header[1] & IN_BAND != 0;
        let schema_len = if in_band { word(8) as usize } else { 8 };
        let body_len = u64::from(word(16)) | u64::from(word(20)) << 32;
        let body = begin + FRAME_HEADER + schema_len;
        let end = usize::try_from(body_len)
            .ok()
            .and_then(|len| len.checked_add(body))
            .filter(|end| end.checked_add(CHECKSUM).is_some_and(|end| end <= data.len()))
            .ok_or_else(cut)?;
        let (frame, rest) = data[begin..].split_at(end - begin);
        if rest.first_chunk() != Some(&xxh3_64(frame).to_le_bytes()) {
            return Err(in_frame("its checksum is wrong, so its bytes were damaged on the way"));
        }
        let wire = match header[0] {
            0 => Wire::Row,
            1 => Wire::Frame,
            _ => return Err(in_frame("it has a wire that this version of serow does not know")),
        };
        if header[1] & !(LAST | IN_BAND) != 0
            || header[2..4] != [0; 2]
            || header[12..16] != [0; 4]
            || !in_band && word(8) != 0
        {
            return Err(in_frame("it has flags that this version of serow does not know"));
        }
        let rows = word(4) as usize;
        if rows > MAX_FRAME_ROWS {
            return Err(in_frame(&format!(
                "it claims {rows} rows, and a frame has {MAX_FRAME_ROWS} at most"
            )));
        }
        let plan =
            self.program(in_band, &data[begin + FRAME_HEADER..body]).map_err(
                |error| match error.kind() {
                    ErrorKind::Memory => error,
                    _ => in_frame(error.message()),
                },
            )?;
        let raw = RawFrame {
            index: self.index,
            program: plan,
            wire,
            rows,
            first_row: self.rows,
            at: begin,
            body_at: body,
            body: &data[body..end],
            body_and_checksum: &data[body..end + CHECKSUM],
        };
        self.at = end + CHECKSUM;
        self.index += 1;
        self.rows += rows;
        self.last = header[1] & LAST != 0;
        Ok(Some(raw))
    }

    /// Returns the program for a schema. `bytes` is the schema's type list or its fingerprint.
    fn program(&mut self, in_band: bool, bytes: &[u8]) -> Result<Arc<Program>> {
        let fingerprint = match bytes.first_chunk() {
            Some(named) if !in_band => u64::from_le_bytes(*named),
            _ => xxh3_64(bytes),
        };
        let known = match &self.first {
            Some((of, plan)) if *of == fingerprint => Some(plan),
            _ => self.plans.get(&fingerprint),
        };
        if let Some(plan) = known
            && (!in_band || plan.schema().as_bytes() == bytes)
        {
            return Ok(plan.clone());
        }
        if !in_band {
            return Err(Error::decode("it names a schema that no frame before it has"));
        }
        if bytes.len() > 4 * (MAX_TYPE_LIST + MAX_NAMES) {
            return Err(Error::decode("its schema is too large"));
        }
        // The emergency reserve covers the plan of a short schema. The check costs an allocation.
        if bytes.len() > SHORT_SCHEMA {
            let likely = PLAN_BYTES * bytes.len();
            memory::check(likely.min(MOST_CHECKED)).map_err(|_| Error::no_memory())?;
        }
        let plan = match &self.ready {
            Some(plan) if plan.schema().as_bytes() == bytes => plan.clone(),
            // The process keeps a limited number of shared plans, but their size has no limit. So
            // the plan of a wide schema is not shared with later messages.
            _ if bytes.len() > SHARED_TYPE_LIST => {
                Arc::new(Program::new(&Schema::from_bytes(bytes)?))
            }
            _ => match Program::recent(bytes) {
                Some(program) => program,
                None => Program::shared(&Schema::from_bytes(bytes)?),
            },
        };
        match &mut self.first {
            Some((of, _)) if *of != fingerprint => {
                self.plans.insert(fingerprint, plan.clone());
            }
            first => *first = Some((fingerprint, plan.clone())),
        }
        Ok(plan)
    }
}
