package dev.lightpath.solver;

import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;

/** How an outcome travels from the child to the caller. */
final class Outcomes {
    private static final byte SOLVED = 1;
    private static final byte INFEASIBLE = 2;
    private static final byte UNDECIDED = 3;
    private static final byte FAILED = 4;

    private Outcomes() {}

    static void write(DataOutputStream out, MilpOutcome outcome) throws IOException {
        switch (outcome) {
            case MilpOutcome.Solved solved -> {
                out.writeByte(SOLVED);
                out.writeBoolean(solved.optimal());
                out.writeDouble(solved.objective());
                out.writeDouble(solved.bound());
                out.writeInt(solved.values().size());
                for (double value : solved.values()) {
                    out.writeDouble(value);
                }
            }
            case MilpOutcome.Infeasible none -> out.writeByte(INFEASIBLE);
            case MilpOutcome.Undecided none -> out.writeByte(UNDECIDED);
            case MilpOutcome.Failed failed -> {
                out.writeByte(FAILED);
                out.writeUTF(failed.reason());
            }
        }
    }

    static MilpOutcome read(DataInputStream in) throws IOException {
        byte kind = in.readByte();
        return switch (kind) {
            case SOLVED -> {
                boolean optimal = in.readBoolean();
                double objective = in.readDouble();
                double bound = in.readDouble();
                List<Double> values = new ArrayList<>();
                int size = in.readInt();
                for (int i = 0; i < size; i++) {
                    values.add(in.readDouble());
                }
                yield new MilpOutcome.Solved(optimal, objective, bound, values);
            }
            case INFEASIBLE -> new MilpOutcome.Infeasible();
            case UNDECIDED -> new MilpOutcome.Undecided();
            case FAILED -> new MilpOutcome.Failed(in.readUTF());
            default -> throw new IOException("unknown outcome " + kind);
        };
    }
}
