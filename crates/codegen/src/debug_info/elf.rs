//! As much of ELF as names need: the functions of an object that LLVM made, and a file that has
//! nothing but names. The format is that of the System V ABI, chapters 4 and 5.

use super::{Function, Functions};

/// Sizes of a file's header, of a section's, and of a symbol, in 64 bits.
const HEADER: usize = 64;
const SECTION: usize = 64;
const SYMBOL: usize = 24;

/// `st_info` of a local and of a global function.
const LOCAL_FUNCTION: u8 = 2;
const GLOBAL_FUNCTION: u8 = 1 << 4 | 2;

const SYMBOL_TABLE: u32 = 2;

/// A number of `N` bytes, little-endian.
fn number<const N: usize>(bytes: &[u8], at: usize) -> Option<u64> {
    let bytes: [u8; N] = bytes.get(at..)?.first_chunk().copied()?;
    let mut wide = [0; 8];
    wide[..N].copy_from_slice(&bytes);
    Some(u64::from_le_bytes(wide))
}

struct Section<'a> {
    kind: u32,
    link: usize,
    content: &'a [u8],
}

fn sections(object: &[u8]) -> Option<Vec<Section<'_>>> {
    if !object.starts_with(b"\x7fELF\x02\x01") {
        return None;
    }
    let (start, count) = (number::<8>(object, 40)? as usize, number::<2>(object, 60)? as usize);
    let section = |index: usize| {
        let header = object.get(start.checked_add(index * SECTION)?..)?.get(..SECTION)?;
        let (at, len) = (number::<8>(header, 24)? as usize, number::<8>(header, 32)? as usize);
        let kind = number::<4>(header, 4)? as u32;
        // Some sections take no bytes of the file.
        let content = object.get(at..at.checked_add(len)?).unwrap_or_default();
        Some(Section { kind, link: number::<4>(header, 40)? as usize, content })
    };
    (0..count).map(section).collect()
}

/// The functions that an object defines.
pub(super) fn functions(object: &[u8]) -> Option<Vec<Function>> {
    let sections = sections(object)?;
    let table = sections.iter().find(|section| section.kind == SYMBOL_TABLE)?;
    let names = sections.get(table.link)?.content;
    let mut functions = Vec::new();
    for symbol in table.content.chunks_exact(SYMBOL) {
        if ![LOCAL_FUNCTION, GLOBAL_FUNCTION].contains(&symbol[4]) {
            continue;
        }
        let name = names.get(number::<4>(symbol, 0)? as usize..)?;
        let name = String::from_utf8_lossy(name.split(|&byte| byte == 0).next()?).into_owned();
        let (offset, size) = (number::<8>(symbol, 8)?, number::<8>(symbol, 16)?);
        functions.push(Function { name, offset, size });
    }
    Some(functions)
}

/// A file that says what functions there are in memory, and nothing else.
pub(super) fn file(of: &Functions) -> Box<[u8]> {
    const TEXT: u16 = 1;
    // Of the sections, and of their names.
    let names = b"\0.text\0.symtab\0.strtab\0";
    let mut strings = names.to_vec();
    let mut symbols = vec![0; SYMBOL];
    for function in &of.functions {
        symbols.extend((strings.len() as u32).to_le_bytes());
        symbols.extend([GLOBAL_FUNCTION, 0]);
        symbols.extend(TEXT.to_le_bytes());
        symbols.extend(function.offset.to_le_bytes());
        symbols.extend(function.size.to_le_bytes());
        strings.extend(function.name.as_bytes());
        strings.push(0);
    }
    let symbols_at = HEADER;
    let strings_at = symbols_at + symbols.len();
    let sections_at = (strings_at + strings.len()).next_multiple_of(8);

    let mut file = b"\x7fELF\x02\x01\x01".to_vec();
    file.resize(16, 0);
    // A relocatable file, for x86-64, of version 1.
    file.extend([1, 0, 62, 0, 1, 0, 0, 0]);
    // No entry and no segments; the sections; no flags.
    file.extend([0; 16]);
    file.extend((sections_at as u64).to_le_bytes());
    file.extend([0; 4]);
    for size in [HEADER, 0, 0, SECTION, 4, 3] {
        file.extend((size as u16).to_le_bytes());
    }
    file.extend(&symbols);
    file.extend(&strings);
    file.resize(sections_at, 0);

    let end = of.functions.iter().map(|function| function.offset + function.size).max();
    let (code, end) = (of.base, end.unwrap_or_default());
    let (symbols_len, strings_len) = (symbols.len() as u64, strings.len() as u64);
    section(&mut file, 0, 0, [0; 4], [0; 2], [0; 2]);
    // It takes no bytes of the file, is in memory, and can be executed.
    section(&mut file, 1, 8, [2 | 4, code, 0, end], [0; 2], [16, 0]);
    let place = [0, 0, symbols_at as u64, symbols_len];
    section(&mut file, 7, SYMBOL_TABLE, place, [3, 1], [8, SYMBOL as u64]);
    section(&mut file, 15, 3, [0, 0, strings_at as u64, strings_len], [0; 2], [1, 0]);
    file.into()
}

/// The header of a section: its name and kind; flags, address, offset and size; link and info; and
/// alignment and the size of an entry.
fn section(
    file: &mut Vec<u8>,
    name: u32,
    kind: u32,
    place: [u64; 4],
    about: [u32; 2],
    rest: [u64; 2],
) {
    file.extend([name, kind].iter().flat_map(|number| number.to_le_bytes()));
    file.extend(place.iter().flat_map(|number| number.to_le_bytes()));
    file.extend(about.iter().flat_map(|number| number.to_le_bytes()));
    file.extend(rest.iter().flat_map(|number| number.to_le_bytes()));
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_written_can_be_read() {
        let function = |name: &str, offset, size| Function { name: name.to_owned(), offset, size };
        let functions = vec![function("serow_a", 0, 31), function("serow_a.group_1", 32, 16)];
        let file = file(&Functions { base: 0x7f00_0000_1000, functions: functions.clone() });
        assert_eq!(super::functions(&file), Some(functions));
        for len in 0..file.len() {
            assert_eq!(super::functions(&file[..len]), None);
        }
        for at in 0..file.len() {
            let mut damaged = file.clone();
            damaged[at] = 0xFF;
            // Whatever that is, it is no panic.
            let _ = super::functions(&damaged);
        }
    }
}
