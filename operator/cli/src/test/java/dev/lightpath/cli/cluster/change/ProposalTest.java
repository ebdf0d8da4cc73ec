package dev.lightpath.cli.cluster.change;

import static org.assertj.core.api.Assertions.assertThat;

import dev.lightpath.cli.cluster.show.Shown;
import dev.lightpath.crds.fabric.OpticalFabric;
import dev.lightpath.crds.slice.FabricSlice;
import java.util.List;
import org.junit.jupiter.api.Test;

class ProposalTest {
    @Test
    void saysOfAPausedFabricWhatResumingDoes() {
        OpticalFabric fabric = Shown.fabric();
        assertThat(Proposal.resuming(fabric))
                .containsExactly("it is not paused, and shows no mass failure: nothing will change");
        fabric.setSpec(Shown.yaml(OpticalFabric.class, "spec: {paused: true}").getSpec());
        assertThat(Proposal.resuming(fabric))
                .contains("if it then shows MassFailure, repairs go ahead only when it is resumed again")
                .noneMatch(line -> line.contains("no longer count"));
        fabric.getStatus().conditions().getFirst().setReason("MassFailure");
        assertThat(Proposal.resuming(fabric)).anyMatch(line -> line.contains("no longer count as a mass failure"));
    }

    @Test
    void countsTheCircuitsOfARecordInPartsAsThoseOfOneSlice() {
        FabricSlice first = Shown.slice("u");
        first.setStatus(Shown.yaml(FabricSlice.class, """
                status:
                  allocation:
                    format: 1
                    revision: 2
                    parts: 2
                    groups: []
                    circuits: [{switch: ocs-3, circuits: ["5-6"]}]
                """).getStatus());
        assertThat(Proposal.circuits(List.of(first, Shown.part("u")), "ocs-3"))
                .isEqualTo("now it carries 3 circuits of 1 slice");
        assertThat(Proposal.circuits(List.of(Shown.slice("u")), "ocs-3"))
                .isEqualTo("now it carries 0 circuits of 0 slices");
    }
}
