package dev.lightpath.driver;

import dev.lightpath.conformance.bench.Fault;
import dev.lightpath.proto.driver.v1alpha1.CircuitKey;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Supplier;

/**
 * What happens to a switch that is a NETCONF server with the module of {@code src/test/yang}, by a client of others:
 * that writes what a real switch measures, and names the elements that do not move.
 */
final class NetconfHardware implements ServerFaults.Own {
    private static final String NAMESPACE = " xmlns=\"http://www.polatis.com/yang/optical-switch\"";
    private static final String REMOVED =
            " xmlns:nc=\"urn:ietf:params:xml:ns:netconf:base:1.0\" nc:operation=\"remove\"";

    /** At a port whose power was measured so far. */
    private static final int POWER_DBM = -3;

    private static final String MEASURING_PORT = "1";

    private final Ncclient client;
    private final Supplier<Process> process;
    private final CutProxy way;
    private final boolean plays;
    private final List<Runnable> mends = new ArrayList<>();
    private int serial;

    /**
     * @param plays whether the server shows what was written as if it were measured, and refuses what {@code must} of
     *     the module forbids
     */
    NetconfHardware(Ncclient client, Supplier<Process> process, CutProxy way, boolean plays) {
        this.client = client;
        this.process = process;
        this.way = way;
        this.plays = plays;
    }

    /** A switch with a number, an attenuator and a meter. */
    void install() {
        number();
        attenuator(MEASURING_PORT, "VOA_MODE_NONE", 0);
        power(MEASURING_PORT, POWER_DBM);
    }

    @Override
    public Process process() {
        return process.get();
    }

    @Override
    public List<CutProxy> ways() {
        return List.of(way);
    }

    @Override
    public void inject(Fault fault) {
        if (!plays && !(fault instanceof Fault.ForeignCircuit) && !(fault instanceof Fault.PowerCycle)) {
            throw ServerFaults.unknown(fault);
        }
        switch (fault) {
            case Fault.ForeignCircuit(CircuitKey circuit) ->
                edit("cross-connects", pair("pair", circuit.getIngress(), circuit.getEgress()));
            case Fault.DeadElement(var port) -> {
                mends.add(this::mendElements);
                edit("elements", "<dead>" + port + "</dead>");
            }
            case Fault.StuckElement(var port) -> {
                mends.add(this::mendElements);
                String[] ends = client.light().stream()
                        .map(circuit -> circuit.split("->"))
                        .filter(circuit -> List.of(circuit).contains(port))
                        .findFirst()
                        .orElseThrow();
                edit("elements", pair("stuck", ends[0], ends[1]));
            }
            case Fault.WeakerLight(var port, var lossDb) -> {
                mends.add(() -> power(port, POWER_DBM));
                power(port, POWER_DBM - lossDb);
            }
            case Fault.Attenuated(var port, var lossDb) -> attenuator(port, "VOA_MODE_RELATIVE", -lossDb);
            case Fault.Replacement() -> {
                number();
                client.edit("<cross-connects" + NAMESPACE + REMOVED + "/>");
                way.cut();
            }
            case Fault.PowerCycle() -> throw ServerFaults.untold(fault);
            case Fault.Temperature unused -> throw ServerFaults.unknown(fault);
            case Fault.Silence unused -> throw new IllegalArgumentException("of the process: " + fault);
            case Fault.SlowMoves unused -> throw new IllegalArgumentException("of the process: " + fault);
        }
    }

    @Override
    public void mend() {
        mends.forEach(Runnable::run);
        mends.clear();
    }

    private void mendElements() {
        client.edit("<elements" + NAMESPACE + REMOVED + "/>");
    }

    private void number() {
        edit("product-information", "<serial-number>A" + ++serial + "</serial-number>");
    }

    private void power(String port, int dbm) {
        edit("opm-power", "<port><port-id>" + port + "</port-id><power>" + dbm + ".0</power></port>");
    }

    private void attenuator(String port, String mode, int level) {
        edit(
                "voa",
                "<port><port-id>" + port + "</port-id><atten-mode>" + mode + "</atten-mode><atten-level>" + level
                        + ".0</atten-level></port>");
    }

    private static String pair(String list, String ingress, String egress) {
        return "<" + list + "><ingress>" + ingress + "</ingress><egress>" + egress + "</egress></" + list + ">";
    }

    private void edit(String container, String content) {
        client.edit("<" + container + NAMESPACE + ">" + content + "</" + container + ">");
    }
}
