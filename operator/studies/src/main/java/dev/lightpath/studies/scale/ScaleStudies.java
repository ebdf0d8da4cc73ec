package dev.lightpath.studies.scale;

import dev.lightpath.studies.Study;
import java.util.List;

/** The studies of this package. */
public final class ScaleStudies {
    private ScaleStudies() {}

    public static List<Study> all() {
        return List.of(ScaleStudy.whole());
    }
}
