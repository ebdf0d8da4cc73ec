package dev.lightpath.studies.topology;

import dev.lightpath.studies.Study;
import java.util.List;

/** The studies of this package. */
public final class TopologyStudies {
    private TopologyStudies() {}

    public static List<Study> all() {
        return List.of(
                new TorusStudy(),
                new PolarFlyStudy(),
                new ResilienceStudy(),
                new BisectionStudy(),
                new RewiringStudy());
    }
}
