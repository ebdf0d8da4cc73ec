package dev.lightpath.console.forecast;

import io.fabric8.kubernetes.api.model.ConfigMap;
import io.fabric8.kubernetes.api.model.Namespace;
import io.fabric8.kubernetes.api.model.scheduling.v1.PriorityClass;
import java.util.Optional;

/** What the plan of a job reads by name, beside what is listed. Each is read when a job asks for it. */
public interface NamedObjects {
    Optional<PriorityClass> priorityClass(String name);

    Optional<Namespace> namespace(String name);

    /** With recorded traffic. */
    Optional<ConfigMap> configMap(String namespace, String name);
}
