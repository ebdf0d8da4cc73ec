package dev.lightpath.driver.ledger;

import com.google.protobuf.ByteString;
import com.google.protobuf.MessageLite;
import dev.lightpath.driver.adapter.CircuitPair;
import dev.lightpath.driver.adapter.DeviceDescription;
import dev.lightpath.proto.driver.v1alpha1.Capabilities;
import dev.lightpath.proto.driver.v1alpha1.Device;
import dev.lightpath.proto.driver.v1alpha1.DeviceInventory;
import dev.lightpath.proto.driver.v1alpha1.Operation;
import dev.lightpath.proto.driver.v1alpha1.PortOverride;
import dev.lightpath.proto.driver.v1alpha1.Scope;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;

/** Ledger records as bytes: a tag, the device, then the record's parts in order. Tags are never reused. */
final class RecordCodec {
    private static final int EPOCH_RAISED = 1;
    private static final int HELD = 2;
    private static final int ADMITTED = 3;
    private static final int UPDATED = 4;
    private static final int OWNED = 5;
    private static final int OVERRIDDEN = 6;
    private static final int DESCRIBED = 7;
    private static final int FORGOTTEN = 8;
    private static final int CLAIMED = 9;
    private static final int GENERATION_SHOWN = 10;

    private RecordCodec() {}

    static byte[] encode(LedgerRecord entry) {
        ByteArrayOutputStream bytes = new ByteArrayOutputStream(256);
        try (DataOutputStream out = new DataOutputStream(bytes)) {
            switch (entry) {
                case LedgerRecord.EpochRaised r -> {
                    head(out, EPOCH_RAISED, r).writeUTF(r.role());
                    out.writeLong(r.epoch());
                    out.writeUTF(r.holder());
                }
                case LedgerRecord.Held r -> head(out, HELD, r).writeUTF(r.role());
                case LedgerRecord.Claimed r -> {
                    head(out, CLAIMED, r).writeUTF(r.role());
                    out.writeUTF(r.name());
                }
                case LedgerRecord.GenerationShown r -> {
                    head(out, GENERATION_SHOWN, r).writeUTF(r.role());
                    out.writeLong(r.generation());
                }
                case LedgerRecord.Admitted r -> {
                    head(out, ADMITTED, r);
                    write(out, r.stored().contentHash().toByteArray());
                    write(out, r.stored().scope());
                    write(out, r.stored().operation());
                }
                case LedgerRecord.Updated r -> write(head(out, UPDATED, r), r.operation());
                case LedgerRecord.Owned r -> {
                    head(out, OWNED, r).writeUTF(r.pair().ingress());
                    out.writeUTF(r.pair().egress());
                    out.writeUTF(r.owner().role());
                    out.writeUTF(r.owner().operationId());
                }
                case LedgerRecord.Overridden r -> {
                    head(out, OVERRIDDEN, r).writeUTF(r.port());
                    out.writeInt(r.override().getNumber());
                    out.writeUTF(r.reason());
                    out.writeBoolean(r.mayBeShut());
                }
                case LedgerRecord.Described r -> {
                    write(head(out, DESCRIBED, r), r.description().device());
                    write(out, r.description().capabilities());
                    write(out, r.description().inventory());
                }
                case LedgerRecord.Forgotten r -> head(out, FORGOTTEN, r);
            }
        } catch (IOException inMemory) {
            throw new UncheckedIOException(inMemory);
        }
        return bytes.toByteArray();
    }

    static LedgerRecord decode(byte[] bytes) {
        try (DataInputStream in = new DataInputStream(new ByteArrayInputStream(bytes))) {
            int tag = in.readUnsignedByte();
            String device = in.readUTF();
            return switch (tag) {
                case EPOCH_RAISED -> new LedgerRecord.EpochRaised(device, in.readUTF(), in.readLong(), in.readUTF());
                case CLAIMED -> new LedgerRecord.Claimed(device, in.readUTF(), in.readUTF());
                case GENERATION_SHOWN -> new LedgerRecord.GenerationShown(device, in.readUTF(), in.readLong());
                case HELD -> new LedgerRecord.Held(device, in.readUTF());
                case ADMITTED ->
                    new LedgerRecord.Admitted(
                            device,
                            new StoredOperation(
                                    ByteString.copyFrom(read(in)),
                                    Scope.parseFrom(read(in)),
                                    Operation.parseFrom(read(in))));
                case UPDATED -> new LedgerRecord.Updated(device, Operation.parseFrom(read(in)));
                case OWNED ->
                    new LedgerRecord.Owned(
                            device,
                            new CircuitPair(in.readUTF(), in.readUTF()),
                            new CircuitOwner(in.readUTF(), in.readUTF()));
                case OVERRIDDEN -> overridden(device, in);
                case DESCRIBED ->
                    new LedgerRecord.Described(
                            device,
                            new DeviceDescription(
                                    Device.parseFrom(read(in)),
                                    Capabilities.parseFrom(read(in)),
                                    DeviceInventory.parseFrom(read(in))));
                case FORGOTTEN -> new LedgerRecord.Forgotten(device);
                default -> throw newer("kind " + tag);
            };
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** Earlier drivers wrote nothing of the shutter, and called no port shut before it was. */
    private static LedgerRecord overridden(String device, DataInputStream in) throws IOException {
        String port = in.readUTF();
        PortOverride override = override(in.readInt());
        String reason = in.readUTF();
        boolean mayBeShut = in.available() > 0 ? in.readBoolean() : override == PortOverride.PORT_OVERRIDE_SHUTTERED;
        return new LedgerRecord.Overridden(device, port, override, reason, mayBeShut);
    }

    private static PortOverride override(int number) {
        PortOverride known = PortOverride.forNumber(number);
        if (known == null) {
            throw newer("override " + number);
        }
        return known;
    }

    private static IllegalStateException newer(String what) {
        return new IllegalStateException(
                "unknown " + what + ": the stateDirectory was written by a newer driver; start that one");
    }

    private static DataOutputStream head(DataOutputStream out, int tag, LedgerRecord entry) throws IOException {
        out.writeByte(tag);
        out.writeUTF(entry.deviceId());
        return out;
    }

    private static void write(DataOutputStream out, MessageLite message) throws IOException {
        write(out, message.toByteArray());
    }

    private static void write(DataOutputStream out, byte[] bytes) throws IOException {
        out.writeInt(bytes.length);
        out.write(bytes);
    }

    private static byte[] read(DataInputStream in) throws IOException {
        return in.readNBytes(in.readInt());
    }
}
