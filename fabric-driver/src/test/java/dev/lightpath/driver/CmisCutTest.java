package dev.lightpath.driver;

import static org.assertj.core.api.Assertions.assertThat;

import dev.lightpath.proto.driver.v1alpha1.ApplyCircuitsRequest;
import dev.lightpath.proto.driver.v1alpha1.ConflictPolicy;
import dev.lightpath.proto.driver.v1alpha1.Operation;
import dev.lightpath.proto.driver.v1alpha1.Outcome;
import io.grpc.ManagedChannel;
import java.util.List;
import org.junit.jupiter.api.Test;

/** The bus of a node whose modules speak CMIS is lost somewhere in a change. */
final class CmisCutTest extends ManagedTrial {
    /** Bytes of the driver in one change, and of the modules; readings come in between. */
    private static final int LONGEST = 400;

    private static final String LOOP = "b0.common->b0.loop";
    private static final String PATH = "b0.common->b0.path1";
    private static final String OTHERS = "b1.common->b1.loop";

    @Test
    void noSelectorMovesTwice() throws Exception {
        CmisPlant plant = new CmisPlant("");
        open.add(plant);
        CutProxy proxy = new CutProxy(plant.port());
        open.add(proxy);
        ManagedChannel driver = driver(plant.adapter(directory, proxy.port()));
        awaitPresent(driver, CmisPlant.NODE::equals);
        DrawnCuts cuts = new DrawnCuts(LONGEST, 2 * LONGEST);
        for (int round = 0; round < cuts.rounds(); round++) {
            cuts.came(true, moves(plant, proxy, driver, PATH, cuts.next(round), "make-" + round));
            cuts.came(false, moves(plant, proxy, driver, LOOP, cuts.next(round), "back-" + round));
        }
        cuts.requireSome();
    }

    /** How often it was cut. */
    private static long moves(
            CmisPlant plant, CutProxy proxy, ManagedChannel driver, String to, DrawnCuts.Cut where, String operation) {
        String place = operation + ", " + where;
        long cutsBefore = proxy.cuts();
        long movesBefore = plant.emulator.movesBegun();
        proxy.cutAfter(where.after(), where.answers());
        Operation told = apply(driver, selects(operation, to));
        proxy.heal();
        Outcome outcome = settled(driver, CmisPlant.NODE, told.getOperationId());
        List<String> light = plant.truth();
        assertThat(outcome == Outcome.OUTCOME_APPLIED)
                .as(place + ": " + outcome + " while light is " + light)
                .isEqualTo(light.equals(List.of(to, OTHERS)));
        assertThat(apply(driver, selects(operation + "-rest", to)).getOutcome())
                .as(place)
                .isEqualTo(Outcome.OUTCOME_APPLIED);
        assertThat(plant.truth()).as(place + ": light").containsExactly(to, OTHERS);
        assertThat(plant.emulator.movesBegun() - movesBefore)
                .as(place + ": moves of selectors")
                .isEqualTo(1);
        return proxy.cuts() - cutsBefore;
    }

    private static ApplyCircuitsRequest selects(String operation, String circuit) {
        return Requests.apply(CmisPlant.NODE, "r", 1, operation)
                .setConflictPolicy(ConflictPolicy.CONFLICT_POLICY_UPDATE)
                .addConnects(Requests.key(circuit))
                .build();
    }
}
