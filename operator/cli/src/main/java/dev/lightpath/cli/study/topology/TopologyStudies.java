package dev.lightpath.cli.study.topology;

import dev.lightpath.cli.study.Study;
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
