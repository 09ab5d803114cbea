#include "generate/untorn_loop.h"

#include "generate/loop_builder.h"
#include "generate/section_builder.h"

namespace cutset {

namespace {

Block untorn(const FlatModel& model, const Block& torn) {
    Pool& pool = *model.pool;
    Block block;
    block.kind = BlockKind::Nonlinear;
    block.loop_size = torn.loop_size;
    block.torn = torn.torn;
    block.residuals = torn.residuals;
    for (const SolvedEquation& s : torn.inner) {
        if (model.variables[s.unknown.variable].is_boolean()) {
            block.inner.push_back(s);
            continue;
        }
        const Expr unknown = pool.variable(s.unknown.variable, s.unknown.order);
        block.torn.push_back(s.unknown);
        block.residuals.push_back({pool.subtract(unknown, s.value), s.equation, s.from_initial});
    }
    return block;
}

}  // namespace

std::unique_ptr<const UntornLoop> generate_untorn(const Program& program, const Block& block) {
    auto result = std::make_unique<UntornLoop>();
    result->block = untorn(program.partition->model, block);
    Program& own = result->program;
    own.partition = program.partition;
    own.layout = program.layout;
    own.functions = program.functions;
    ProgramBuilder builder(*program.partition, own);
    builder.quantities = program.layout.constants;  // those of the given program stay where they are
    own.loops.push_back(build_loop(builder, result->block));
    builder.relocate();
    return result;
}

}  // namespace cutset
