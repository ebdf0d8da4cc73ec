package dev.lightpath.cli.cluster.access;

import dev.lightpath.console.text.BadInput;
import io.fabric8.kubernetes.client.KubernetesClientException;
import java.net.HttpURLConnection;
import java.util.Optional;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** Where the operator answers. */
public final class OperatorOptions {
    @Option(
            names = "--operator",
            paramLabel = "URL",
            defaultValue = "${env:LIGHTPATH_OPERATOR}",
            description =
                    "address of the operator's HTTP port, as http://127.0.0.1:8080; default $LIGHTPATH_OPERATOR, else"
                            + " the pod that leads, by a port forward, else what ConfigMap lightpath-epoch says")
    @Nullable
    private String url;

    @Mixin
    private OperatorNamespace namespace = new OperatorNamespace();

    /** Where the operator runs. */
    public String namespace() {
        return namespace.name();
    }

    /** What the operator last saw. */
    public OperatorView view(Cluster cluster) {
        return ask(cluster, HttpQuestion.get("/view")).as(OperatorView.class, "view");
    }

    /**
     * An answer worked out here, or where the user may not read what it takes, the operator's: that reads everything,
     * and says what the user may know.
     *
     * @param here works it out; what the API server forbids ends it
     * @param question for the operator
     * @param what the answer is, for people: {@code plan} ...
     * @throws BadInput when neither can be had
     */
    public <T> T answer(
            Cluster cluster, Supplier<T> here, Supplier<HttpQuestion> question, Class<T> type, String what) {
        try {
            return here.get();
        } catch (KubernetesClientException e) {
            if (e.getCode() != HttpURLConnection.HTTP_FORBIDDEN) {
                throw e;
            }
            try {
                return ask(cluster, question.get()).as(type, what);
            } catch (BadInput none) {
                throw new BadInput(
                        Connection.explain(e, "").getMessage() + "; nor has the operator an answer: "
                                + none.getMessage(),
                        e);
            }
        }
    }

    private OperatorAnswer ask(Cluster cluster, HttpQuestion question) {
        return new OperatorCall(cluster, namespace.name())
                .ask(Optional.ofNullable(url).filter(text -> !text.isBlank()), question);
    }
}
