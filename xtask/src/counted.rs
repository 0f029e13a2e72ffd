//! Builds a copy of the WebAssembly module that counts its work, for tests. A count does not depend on how
//! busy the machine is.

use std::path::PathBuf;
use std::{fs, mem};

use anyhow::{Context, Result, anyhow};
use walrus::ir::{
    self, BinaryOp, Binop, Const, GlobalGet, GlobalSet, Instr, InstrLocId, InstrSeq, InstrSeqId,
    LocalGet, LocalTee, Loop, UnaryOp, Unop, Value, Visitor,
};
use walrus::{
    ConstExpr, FunctionId, FunctionKind, GlobalId, LocalFunction, LocalId, Module, ModuleConfig,
    ValType,
};

use crate::wasm;
use crate::workspace::Workspace;

/// The file name of the module, which replaces the package's own.
const FILE: &str = "toolgauge_bg.wasm";

/// The export with the count.
const COUNTER: &str = "toolgauge_work";

/// Copying this many bytes, as a power of two, is one unit of work.
const LOG_BYTES_PER_UNIT: i64 = 4;

/// Returns the path of the counting module.
pub fn module(workspace: &Workspace) -> PathBuf {
    workspace.target("counted").join(FILE)
}

/// Builds the counting module from the package's module.
pub fn build(workspace: &Workspace) -> Result<()> {
    let bytes = fs::read(wasm::glue(workspace).join(FILE)).context(FILE)?;
    let counted = count(&bytes)?;
    let file = module(workspace);
    workspace.shell.create_dir(workspace.target("counted"))?;
    fs::write(&file, counted).with_context(|| format!("cannot write {}", file.display()))
}

/// Adds a counter to a module. Each call of a function and each iteration of a loop adds one, and copying or
/// filling memory adds to it by the number of bytes.
fn count(bytes: &[u8]) -> Result<Vec<u8>> {
    let mut config = ModuleConfig::new();
    config.generate_producers_section(false);
    let mut module = config.parse(bytes).map_err(|error| anyhow!(error))?;
    add_counter(&mut module);
    Ok(module.emit_wasm())
}

fn add_counter(module: &mut Module) {
    let initial = ConstExpr::Value(Value::I64(0));
    let counter = module.globals.add_local(ValType::I64, true, false, initial);
    module.exports.add(COUNTER, counter);
    let functions: Vec<FunctionId> = module.funcs.iter_local().map(|(id, _)| id).collect();
    for id in functions {
        // Only functions that move memory use this local.
        let length = module.locals.add(ValType::I32);
        let FunctionKind::Local(function) = &mut module.funcs.get_mut(id).kind else {
            continue;
        };
        count_in(function, counter, length);
    }
}

fn count_in(function: &mut LocalFunction, counter: GlobalId, length: LocalId) {
    let places = places(function);
    for sequence in places.moves {
        count_moves(function.block_mut(sequence), counter, length);
    }
    for start in places.starts {
        let instructions = &mut function.block_mut(start).instrs;
        instructions.splice(0..0, located(add_one(counter)));
    }
}

/// The places in a function to count.
#[derive(Default)]
struct Places {
    /// Instruction sequences that run once per call, or once per iteration of a loop.
    starts: Vec<InstrSeqId>,
    /// The sequences of instructions that copy or fill memory.
    moves: Vec<InstrSeqId>,
}

impl<'a> Visitor<'a> for Places {
    fn start_instr_seq(&mut self, sequence: &'a InstrSeq) {
        if sequence.instrs.iter().any(|(each, _)| moves_memory(each)) {
            self.moves.push(sequence.id());
        }
    }

    fn visit_loop(&mut self, instruction: &Loop) {
        self.starts.push(instruction.seq);
    }
}

fn places(function: &LocalFunction) -> Places {
    let mut places = Places::default();
    places.starts.push(function.entry_block());
    ir::dfs_in_order(&mut places, function, function.entry_block());
    places
}

fn moves_memory(instruction: &Instr) -> bool {
    matches!(instruction, Instr::MemoryCopy(_) | Instr::MemoryFill(_))
}

/// Counts the bytes of each move, whose number is on the stack before it.
fn count_moves(sequence: &mut InstrSeq, counter: GlobalId, length: LocalId) {
    let instructions = mem::take(&mut sequence.instrs);
    for each in instructions {
        if moves_memory(&each.0) {
            sequence.instrs.extend(located(add_length(counter, length)));
        }
        sequence.instrs.push(each);
    }
}

fn add_one(counter: GlobalId) -> Vec<Instr> {
    vec![
        Instr::GlobalGet(GlobalGet { global: counter }),
        constant(1),
        binary(BinaryOp::I64Add),
        Instr::GlobalSet(GlobalSet { global: counter }),
    ]
}

fn add_length(counter: GlobalId, length: LocalId) -> Vec<Instr> {
    vec![
        Instr::LocalTee(LocalTee { local: length }),
        Instr::GlobalGet(GlobalGet { global: counter }),
        Instr::LocalGet(LocalGet { local: length }),
        Instr::Unop(Unop {
            op: UnaryOp::I64ExtendUI32,
        }),
        constant(LOG_BYTES_PER_UNIT),
        binary(BinaryOp::I64ShrU),
        binary(BinaryOp::I64Add),
        Instr::GlobalSet(GlobalSet { global: counter }),
    ]
}

fn constant(value: i64) -> Instr {
    Instr::Const(Const {
        value: Value::I64(value),
    })
}

fn binary(op: BinaryOp) -> Instr {
    Instr::Binop(Binop { op })
}

/// Returns instructions without a location in the original module.
fn located(instructions: Vec<Instr>) -> impl Iterator<Item = (Instr, InstrLocId)> {
    let place = InstrLocId::default();
    instructions.into_iter().map(move |each| (each, place))
}

#[cfg(test)]
mod tests {
    use walrus::ir::Instr;
    use walrus::{FunctionBuilder, Module};

    use super::{COUNTER, add_counter, places};

    /// Returns a module with one function, which fills memory in an endless loop.
    fn module() -> Module {
        let mut module = Module::default();
        let memory = module.memories.add_local(false, false, 1, None, None);
        let mut builder = FunctionBuilder::new(&mut module.types, &[], &[]);
        builder.func_body().loop_(None, |body| {
            let id = body.id();
            body.i32_const(0)
                .i32_const(7)
                .i32_const(160)
                .memory_fill(memory)
                .br(id);
        });
        let function = builder.finish(Vec::new(), &mut module.funcs);
        module.exports.add("run", function);
        module
    }

    #[test]
    fn calls_iterations_and_moves_are_counted() {
        let mut module = module();
        add_counter(&mut module);
        let (_, function) = module.funcs.iter_local().next().expect("a function");
        let places = places(function);
        assert_eq!(places.starts.len(), 2);
        for start in &places.starts {
            let first = function.block(*start).instrs.first();
            assert!(matches!(first, Some((Instr::GlobalGet(_), _))));
        }
        let [moving] = places.moves.as_slice() else {
            panic!("one sequence moves memory");
        };
        let instructions = &function.block(*moving).instrs;
        let fill = instructions
            .iter()
            .position(|(each, _)| matches!(each, Instr::MemoryFill(_)));
        let fill = fill.expect("it still fills memory");
        assert!(matches!(instructions[fill - 1].0, Instr::GlobalSet(_)));
        assert!(matches!(instructions[fill - 8].0, Instr::LocalTee(_)));
    }

    #[test]
    fn the_counter_is_exported_and_the_module_is_valid() {
        let mut module = module();
        add_counter(&mut module);
        let read = Module::from_buffer(&module.emit_wasm()).expect("a module");
        assert!(read.exports.iter().any(|export| export.name == COUNTER));
    }
}
