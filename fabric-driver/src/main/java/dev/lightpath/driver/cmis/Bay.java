package dev.lightpath.driver.cmis;

import dev.lightpath.driver.adapter.CircuitPair;
import dev.lightpath.driver.adapter.Move;
import dev.lightpath.driver.adapter.MoveAnswer;
import dev.lightpath.driver.adapter.NativeCircuit;
import dev.lightpath.driver.config.AdapterConfig.CmisModuleConfig;
import dev.lightpath.driver.config.ModuleType.PortBits;
import dev.lightpath.proto.driver.v1alpha1.CircuitState;
import dev.lightpath.proto.driver.v1alpha1.ItemReason;
import dev.lightpath.proto.driver.v1alpha1.LockState;
import dev.lightpath.proto.driver.v1alpha1.PortAdminState;
import dev.lightpath.proto.driver.v1alpha1.PortOperState;
import dev.lightpath.proto.driver.v1alpha1.PortRef;
import dev.lightpath.proto.driver.v1alpha1.PortStatus;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalDouble;
import org.jspecify.annotations.Nullable;

/** The cage of one module in a node, whatever is in it now. One caller at a time. */
final class Bay implements AutoCloseable {
    /** Last parts of the names of ports, in order. */
    static final List<String> PORTS = List.of("common", "loop", "path1", "path2");

    private final String node;
    private final CmisModuleConfig config;
    private final Opener opener;
    private @Nullable CmisModule module;
    /** Of what was plugged in last. */
    private Optional<Identity> known = Optional.empty();

    /** Where light went when that was known last. */
    private Position last = Position.DARK;

    private String lost = "not read yet";

    /** Whether another module was found since that was told last. */
    private boolean another;

    /** Reaches the memory of a module. */
    interface Opener {
        ModuleMemory open(CmisModuleConfig config) throws NotAnsweredException;
    }

    /**
     * What a module says at one moment.
     *
     * @param trouble what is wrong, for people: where, as port or module, and what
     * @param stuck the ports that do not move
     * @param hot whether it is too hot
     */
    record Said(
            List<NativeCircuit> circuits,
            List<PortStatus> ports,
            Map<String, String> trouble,
            List<String> stuck,
            boolean hot,
            OptionalDouble temperature) {}

    Bay(String node, CmisModuleConfig config, Opener opener) {
        this.node = node;
        this.config = config;
        this.opener = opener;
    }

    String name() {
        return config.name();
    }

    String port(String end) {
        return config.name() + "." + end;
    }

    /** What is plugged in; empty while nothing that can be used is. */
    Optional<Identity> identity() {
        return Optional.ofNullable(module).map(CmisModule::identity);
    }

    /** Why nothing of it can be used. */
    String lost() {
        return lost;
    }

    /** What is asked of a module, without a change of it. */
    private interface Question<T> {
        T ask(CmisModule module) throws NotAnsweredException;
    }

    /**
     * Looks into the cage. Whether another module is in it than when this was asked last. One that did not answer for a
     * while is the same.
     */
    synchronized boolean look() {
        CmisModule before = module;
        try {
            if (before != null && !before.isThere()) {
                lose(new NotAnsweredException("another module is plugged in"));
            }
        } catch (NotAnsweredException e) {
            lose(e);
        }
        if (module == null) {
            find();
        }
        boolean found = another;
        another = false;
        return found;
    }

    /** Uses what is plugged in, if it answers. */
    private void find() {
        ModuleMemory memory = null;
        try {
            memory = opener.open(config);
            CmisModule found = CmisModule.of(memory, config.type());
            module = found;
            lost = "";
            if (!known.equals(Optional.of(found.identity()))) {
                known = Optional.of(found.identity());
                last = Position.DARK;
                another = true;
            }
        } catch (NotAnsweredException e) {
            lost = String.valueOf(e.getMessage());
            if (memory != null) {
                memory.close();
            }
        }
    }

    private void lose(NotAnsweredException why) {
        lost = String.valueOf(why.getMessage());
        if (module != null) {
            module.close();
            module = null;
        }
    }

    private CmisModule there() throws NotAnsweredException {
        if (module == null) {
            throw new NotAnsweredException(lost);
        }
        return module;
    }

    /**
     * What a module says. One that misses an answer is looked for at once: what is left out of a reading reads as dark.
     */
    private <T> T ask(Question<T> question) throws NotAnsweredException {
        CmisModule to = there();
        try {
            return question.ask(to);
        } catch (NotAnsweredException e) {
            lose(e);
            find();
            return question.ask(there());
        }
    }

    synchronized Said read() {
        try {
            return ask(this::read);
        } catch (NotAnsweredException e) {
            lose(e);
            List<PortStatus> ports = new ArrayList<>();
            PORTS.forEach(end -> ports.add(status(end)
                    .setOperState(PortOperState.PORT_OPER_STATE_FAILED)
                    .build()));
            return new Said(unread(), ports, Map.of(name(), lost), List.of(), false, OptionalDouble.empty());
        }
    }

    /** Its circuit, read now. */
    synchronized List<NativeCircuit> circuits() throws NotAnsweredException {
        return ask(from -> circuits(from, from.position()));
    }

    private List<NativeCircuit> circuits(CmisModule from, Position position) throws NotAnsweredException {
        Position leads = leads(from, position);
        return circuits(
                leads,
                switch (position) {
                    case MOVING -> CircuitState.CIRCUIT_STATE_TUNING;
                    case FAILED -> CircuitState.CIRCUIT_STATE_FAILED;
                    case LOOP, PATH_1, PATH_2, DARK -> CircuitState.CIRCUIT_STATE_CONNECTED;
                });
    }

    /** Its circuit while it does not answer: it may pass light on as it did last. Empty where that is not known. */
    synchronized List<NativeCircuit> unread() {
        return circuits(last, CircuitState.CIRCUIT_STATE_FAILED);
    }

    private List<NativeCircuit> circuits(Position leads, CircuitState state) {
        return leads.leads()
                ? List.of(new NativeCircuit(
                        new CircuitPair(port("common"), port(leads.port())), state, OptionalDouble.empty()))
                : List.of();
    }

    /**
     * Where its light may go. While the position is not told, that is where the selector was told to lead. One that was
     * told to go dark may lead light on as it did last.
     */
    private Position leads(CmisModule from, Position position) throws NotAnsweredException {
        if (position == Position.MOVING || position == Position.FAILED) {
            Position wanted = from.wanted();
            last = wanted.leads() ? wanted : last;
        } else {
            last = position;
        }
        return last;
    }

    private Said read(CmisModule from) throws NotAnsweredException {
        Map<String, String> trouble = new LinkedHashMap<>();
        from.trouble().ifPresent(why -> trouble.put(name(), why));
        Position position = from.position();
        if (position == Position.FAILED) {
            trouble.putIfAbsent(port("common"), "its path selector tells no position");
        }
        tellFarEnd(from, position);
        CmisModule.Reception reception = from.reception();
        String far = from.received();
        int failed = from.bits(from.type().failed());
        int stuckBits = from.bits(from.type().stuck());
        List<PortStatus> ports = new ArrayList<>();
        List<String> stuck = new ArrayList<>();
        for (String end : PORTS) {
            PortStatus.Builder port = status(end);
            boolean lostPosition = position == Position.FAILED && end.equals("common");
            if (!trouble.containsKey(name())
                    && !lostPosition
                    && !has(from.type().failed(), failed, end)) {
                port.setOperState(PortOperState.PORT_OPER_STATE_OK);
            } else {
                port.setOperState(PortOperState.PORT_OPER_STATE_FAILED);
                if (!trouble.containsKey(name()) && !lostPosition) {
                    trouble.put(port(end), "the module reports the port failed");
                }
            }
            if (has(from.type().stuck(), stuckBits, end)) {
                stuck.add(port(end));
            }
            if (end.equals(position.port()) && position != Position.LOOP) {
                receive(port, reception, far);
            }
            ports.add(port.build());
        }
        return new Said(
                circuits(from, position),
                ports,
                trouble,
                stuck,
                from.tooHot(),
                OptionalDouble.of(from.temperatureCelsius()));
    }

    private static boolean has(Optional<PortBits> of, int bits, String end) {
        return of.isPresent()
                && (bits
                                & switch (end) {
                                    case "common" -> of.get().common();
                                    case "loop" -> of.get().loop();
                                    case "path1" -> of.get().path1();
                                    default -> of.get().path2();
                                })
                        != 0;
    }

    private static void receive(PortStatus.Builder port, CmisModule.Reception reception, String far) {
        reception.powerDbm().ifPresent(port::setReceivePowerDbm);
        reception.bitErrorRatio().ifPresent(port::setPreFecBitErrorRatio);
        switch (reception.light()) {
            case LOST -> port.setLockState(LockState.LOCK_STATE_LOSS_OF_SIGNAL);
            case UNLOCKED -> port.setLockState(LockState.LOCK_STATE_ACQUIRING);
            case LOCKED -> port.setLockState(LockState.LOCK_STATE_LOCKED);
            case UNTOLD -> {}
        }
        int slash = far.lastIndexOf('/');
        // a text that was received once may stay in its register
        if (slash > 0 && reception.light() == CmisModule.Light.LOCKED) {
            port.setHeardNeighbour(
                    PortRef.newBuilder().setDeviceId(far.substring(0, slash)).setPort(far.substring(slash + 1)));
        }
    }

    private PortStatus.Builder status(String end) {
        return PortStatus.newBuilder().setPort(port(end)).setAdminState(PortAdminState.PORT_ADMIN_STATE_IN_SERVICE);
    }

    /** Whether a port is one of this module. */
    boolean has(String port) {
        return PORTS.stream().anyMatch(end -> port(end).equals(port));
    }

    /**
     * One move. What the selector leaves by it needs no move of its own. Of a module that does not answer before
     * anything was asked of its selector it is refused. One that only missed an answer is there again for the next
     * reading.
     *
     * @throws NotAnsweredException when the selector may have taken what was written
     */
    synchronized MoveAnswer move(Move move) throws NotAnsweredException {
        Position wanted = switch (move) {
            case Move.Break unused -> Position.DARK;
            case Move.Make make -> position(make.pair());
        };
        if (wanted == Position.FAILED) {
            return new MoveAnswer.Refused(
                    ItemReason.ITEM_REASON_NO_SUCH_PORT,
                    "a selector leads from " + port("common") + " to " + port("loop") + ", " + port("path1") + " or "
                            + port("path2"));
        }
        CmisModule to;
        try {
            to = there();
            Position position = to.position();
            if (move instanceof Move.Break) {
                if (!leads(to, position).port().equals(move.pair().egress().substring(name().length() + 1))) {
                    return new MoveAnswer.Accepted();
                }
                if (to.type().selector().dark().isEmpty()) {
                    return new MoveAnswer.Refused(
                            ItemReason.ITEM_REASON_DEVICE_REFUSED,
                            "modules of this type have no position that leads nowhere (selector.dark)");
                }
            }
            tellFarEnd(to, wanted);
            if (position == wanted) {
                return new MoveAnswer.Accepted();
            }
        } catch (NotAnsweredException e) {
            if (module != null) {
                lose(e);
                find();
            }
            return new MoveAnswer.Refused(ItemReason.ITEM_REASON_PORT_UNUSABLE, String.valueOf(e.getMessage()));
        }
        Position reached = to.select(wanted);
        return reached == wanted || reached == Position.MOVING
                ? new MoveAnswer.Accepted()
                : new MoveAnswer.Refused(
                        ItemReason.ITEM_REASON_NOT_SETTLED,
                        "after " + to.type().settles().toMillis() + " ms the selector of " + name() + " is at "
                                + (reached.leads()
                                        ? reached.port()
                                        : reached.name().toLowerCase(java.util.Locale.ROOT)));
    }

    private void tellFarEnd(CmisModule from, Position position) throws NotAnsweredException {
        if (position.leads() && position != Position.LOOP) {
            from.transmit(node + "/" + port(position.port()));
        }
    }

    private Position position(CircuitPair pair) {
        if (pair.ingress().equals(port("common"))) {
            for (Position position : Position.values()) {
                if (position.leads() && pair.egress().equals(port(position.port()))) {
                    return position;
                }
            }
        }
        return Position.FAILED;
    }

    @Override
    public synchronized void close() {
        if (module != null) {
            module.close();
            module = null;
        }
    }
}
