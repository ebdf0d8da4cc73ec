package dev.lightpath.app.access;

import io.fabric8.kubernetes.api.model.authorization.v1.SubjectAccessReviewSpec;
import io.fabric8.kubernetes.api.model.authorization.v1.SubjectAccessReviewSpecBuilder;

/** What a caller needs to be allowed, in the words of the cluster's own roles. */
public sealed interface Right {
    /** Of fabrics as a whole: drivers, devices, circuits, faults. The subresource exists in roles only. */
    Right FABRICS = new Resource("get", "opticalfabrics", "view", "");

    /** Of the slices of all namespaces. */
    Right ALL_SLICES = slices("");

    Right METRICS = new Path("/q/metrics");

    /** @param namespace all of them when empty */
    static Right slices(String namespace) {
        return new Resource("get", "fabricslices", "", namespace);
    }

    /** @param namespace all of them when empty */
    static Right jobs(String namespace) {
        return new Resource("get", "trainingjobs", "", namespace);
    }

    static Right createJobs(String namespace) {
        return new Resource("create", "trainingjobs", "", namespace);
    }

    /** The review of this right, without the caller. */
    SubjectAccessReviewSpec review();

    /** @param namespace all of them when empty, and for what has none */
    record Resource(String verb, String resource, String subresource, String namespace) implements Right {
        private static final String GROUP = "lightpath.dev";

        @Override
        public SubjectAccessReviewSpec review() {
            return new SubjectAccessReviewSpecBuilder()
                    .withNewResourceAttributes()
                    .withVerb(verb)
                    .withGroup(GROUP)
                    .withResource(resource)
                    .withSubresource(subresource)
                    .withNamespace(namespace)
                    .endResourceAttributes()
                    .build();
        }

        @Override
        public String toString() {
            return verb + " " + resource + (subresource.isEmpty() ? "" : "/" + subresource) + "." + GROUP
                    + (namespace.isEmpty() ? "" : " in namespace " + namespace);
        }
    }

    /** Of a page of the operator's own. */
    record Path(String path) implements Right {
        @Override
        public SubjectAccessReviewSpec review() {
            return new SubjectAccessReviewSpecBuilder()
                    .withNewNonResourceAttributes()
                    .withVerb("get")
                    .withPath(path)
                    .endNonResourceAttributes()
                    .build();
        }

        @Override
        public String toString() {
            return "get the nonResourceURL " + path;
        }
    }
}
