//! Reads the functions of an object that LLVM made, and writes the file that tells gdb about them.

use object::elf;
use object::read::elf::ElfFile64;
use object::write::elf::{FileHeader, SectionHeader, Sym, Writer};
use object::{Endianness, Object, ObjectSymbol, SymbolKind};

use super::{Function, Functions};

/// Returns the functions that an object defines.
pub(super) fn functions(object: &[u8]) -> Option<Vec<Function>> {
    let file = ElfFile64::<Endianness>::parse(object).ok()?;
    file.symbols()
        .filter(|symbol| symbol.kind() == SymbolKind::Text && symbol.is_definition())
        .map(|symbol| {
            let name = String::from_utf8_lossy(symbol.name_bytes().ok()?).into_owned();
            Some(Function { name, offset: symbol.address(), size: symbol.size() })
        })
        .collect()
}

/// Returns an ELF file: one section with the code's address in memory, and one symbol for each
/// function.
pub(super) fn file(of: &Functions) -> Result<Box<[u8]>, object::write::Error> {
    let mut file = Vec::new();
    let mut writer = Writer::new(Endianness::Little, true, &mut file);
    writer.reserve_file_header();
    writer.reserve_null_section_index();
    let text_name = writer.add_section_name(b".text");
    let text = writer.reserve_section_index();
    writer.reserve_symtab_section_index();
    writer.reserve_strtab_section_index();
    writer.reserve_shstrtab_section_index();
    writer.reserve_null_symbol_index();
    let names: Vec<_> = of
        .functions
        .iter()
        .map(|function| {
            writer.reserve_symbol_index(Some(text));
            writer.add_string(function.name.as_bytes())
        })
        .collect();
    writer.reserve_symtab();
    writer.reserve_strtab()?;
    writer.reserve_shstrtab()?;
    writer.reserve_section_headers();

    writer.write_file_header(&FileHeader {
        os_abi: elf::ELFOSABI_NONE,
        abi_version: 0,
        e_type: elf::ET_REL,
        e_machine: elf::EM_X86_64,
        e_entry: 0,
        e_flags: elf::FileFlags(0),
    })?;
    writer.write_null_symbol();
    for (function, name) in of.functions.iter().zip(names) {
        writer.write_symbol(&Sym {
            section: Some(text.0),
            st_name: writer.string_offset(Some(name)),
            st_info: elf::SymbolInfo::new(elf::STB_GLOBAL, elf::STT_FUNC),
            st_other: elf::SymbolOther(0),
            st_shndx: elf::SHN_UNDEF,
            st_value: function.offset,
            st_size: function.size,
        });
    }
    writer.write_strtab();
    writer.write_shstrtab();
    writer.write_null_section_header();
    let end = of.functions.iter().map(|function| function.offset + function.size).max();
    writer.write_section_header(&SectionHeader {
        sh_name: writer.section_name_offset(Some(text_name)),
        // The code is in memory and takes no bytes of the file.
        sh_type: elf::SHT_NOBITS,
        sh_flags: elf::SHF_ALLOC | elf::SHF_EXECINSTR,
        sh_addr: of.base,
        sh_offset: 0,
        sh_size: end.unwrap_or_default(),
        sh_link: 0,
        sh_info: 0,
        sh_addralign: 16,
        sh_entsize: 0,
    });
    writer.write_symtab_section_header(1);
    writer.write_strtab_section_header();
    writer.write_shstrtab_section_header();
    Ok(file.into())
}

#[cfg(test)]
mod tests {
    use object::ObjectSection;

    use super::*;

    #[test]
    fn a_written_file_can_be_read() {
        let function = |name: &str, offset, size| Function { name: name.to_owned(), offset, size };
        let functions = vec![function("serow_a", 0, 31), function("serow_a.group_1", 32, 16)];
        let base = 0x7f00_0000_1000;
        let file = file(&Functions { base, functions: functions.clone() }).unwrap();
        assert_eq!(super::functions(&file), Some(functions));
        let parsed = ElfFile64::<Endianness>::parse(&*file).unwrap();
        let text = parsed.section_by_name(".text").unwrap();
        assert_eq!((text.address(), text.size()), (base, 48));
    }
}
