package dev.lightpath.app.workers;

import static org.assertj.core.api.Assertions.assertThat;

import dev.lightpath.app.solving.SolverPool;
import dev.lightpath.crds.job.ScaleOut;
import java.time.Duration;
import org.junit.jupiter.api.Test;

class PlannerProducerTest {
    @Test
    void aSearchThatNoWorkerTakesHasMostOfItsTimeHere() {
        assertThat(PlannerProducer.PATIENCE.multipliedBy(2))
                .isLessThan(Duration.ofSeconds(ScaleOut.TIME_LIMIT_SECONDS));
    }

    /** It looks at nothing else while it waits for its turn. */
    @Test
    void aSearchThatIsToStopIsNotLateBecauseItWaitsForAWorker() {
        assertThat(PlannerProducer.PATIENCE).isLessThan(SolverPool.GRACE);
    }
}
