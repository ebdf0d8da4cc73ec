package dev.lightpath.solver;

import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.time.Duration;

/**
 * The question to the solver's process.
 *
 * @param limit of the whole answer, the start of the native library included
 * @param nodes most branch-and-bound nodes (SCIP) or conflicts (CP-SAT), 1 or more: the limit that has the same answer
 *     on every machine
 */
record MilpQuestion(MixedIntegerProgram program, Backend backend, Duration limit, long nodes) {

    void write(DataOutputStream out) throws IOException {
        out.writeUTF(backend.name());
        out.writeLong(limit.toMillis());
        out.writeLong(nodes);
        program.write(out);
    }

    static MilpQuestion read(DataInputStream in) throws IOException {
        Backend backend = Backend.valueOf(in.readUTF());
        Duration limit = Duration.ofMillis(in.readLong());
        long nodes = in.readLong();
        return new MilpQuestion(MixedIntegerProgram.read(in), backend, limit, nodes);
    }
}
