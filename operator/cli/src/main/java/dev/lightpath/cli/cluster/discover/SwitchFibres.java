package dev.lightpath.cli.cluster.discover;

import com.fasterxml.jackson.annotation.JsonIgnore;
import dev.lightpath.crds.opticalswitch.Discovery;
import dev.lightpath.crds.opticalswitch.FoundPort;
import dev.lightpath.crds.opticalswitch.OpticalSwitch;
import dev.lightpath.reading.DiscoveryCodec;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * What was found of the fibres of a switch.
 *
 * @param name of the OpticalSwitch
 * @param asked whether somebody asks for it
 * @param over whether every port that could be probed was, or it was stopped
 * @param waitsFor why nothing is probed now; null if something is
 * @param ends of fibres, of a two-sided switch each side of each port
 * @param known of these
 * @param circuits probing circuits so far
 * @param findings where fibres are not as spec.wiring says
 * @param ports port by port
 */
record SwitchFibres(
        String name,
        @JsonIgnore boolean asked,
        boolean over,
        @Nullable String waitsFor,
        int ends,
        int known,
        int circuits,
        List<String> findings,
        List<FoundPort> ports) {
    /** Of an answer to an earlier question nothing is told. */
    static SwitchFibres of(OpticalSwitch of) {
        String name = of.getMetadata().getName();
        String request = DiscoveryCodec.request(of).orElse("");
        Discovery told = of.getStatus() == null ? null : of.getStatus().discovery();
        if (told == null || !answers(told, of)) {
            return new SwitchFibres(
                    name,
                    !request.isEmpty(),
                    false,
                    "the operator has not answered yet",
                    0,
                    0,
                    0,
                    List.of(),
                    List.of());
        }
        return new SwitchFibres(
                name,
                !request.isEmpty(),
                told.ended(),
                told.waitsFor(),
                told.ends(),
                told.known(),
                told.circuits(),
                told.findings(),
                told.ports());
    }

    /** Whether it is no answer to an earlier question. What was asked is asked no more after a stop. */
    static boolean answers(Discovery told, OpticalSwitch of) {
        return DiscoveryCodec.request(of).map(told.request()::equals).orElse(true);
    }

    /** How far it is, in one line. */
    String progress() {
        return counts() + (waitsFor == null || over ? "" : "; waits: " + waitsFor);
    }

    /** The same without what it waits for. */
    String counts() {
        return "switch/" + name + ": " + known + " of " + ends + " fibre ends known, " + circuits + " circuits"
                + (over ? "; over" : "");
    }

    /** In a word. */
    String state() {
        if (!over) {
            return waitsFor == null ? "probing" : "waits: " + waitsFor;
        }
        return findings.isEmpty() ? "as written" : findings.size() + " findings";
    }
}
