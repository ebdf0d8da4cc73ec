package dev.lightpath.app.publish;

import dev.lightpath.app.access.Access;
import dev.lightpath.app.access.Caller;
import dev.lightpath.app.access.Door;
import dev.lightpath.app.access.Paced;
import dev.lightpath.app.access.Refused;
import dev.lightpath.app.access.Right;
import dev.lightpath.app.publish.view.RenderedView;
import io.vertx.ext.web.Router;
import io.vertx.ext.web.RoutingContext;
import jakarta.enterprise.event.Observes;
import jakarta.inject.Inject;
import jakarta.inject.Singleton;
import java.util.List;
import java.util.Set;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * {@code GET /view}: everything as the last published pass saw it, as JSON, as far as the caller may see it. Only the
 * leader passes; others answer 503.
 */
@Singleton
public class ViewRoute {
    private static final Pattern NAMESPACE = Pattern.compile("[a-z0-9]([-a-z0-9]{0,61}[a-z0-9])?");

    private final StatusPublisher publisher;
    private final Access access;
    private final Door door;

    @Inject
    ViewRoute(StatusPublisher publisher, Access access, Door door) {
        this.publisher = publisher;
        this.access = access;
        this.door = door;
    }

    void register(@Observes Router router) {
        router.get("/view").handler(this::view);
    }

    private void view(RoutingContext request) {
        String namespace = request.request().getParam("namespace");
        door.admit(request, caller -> new Paced(parts(caller, namespace)));
    }

    private List<byte[]> parts(Caller caller, @Nullable String namespace) {
        RenderedView view = publisher
                .view()
                .orElseThrow(() ->
                        new Refused(503, "this replica has not made a planning pass: ask the leader, or wait for it"));
        if (namespace == null) {
            Sees sees = Sees.of(access, caller, view.namespaces().keySet());
            return view.parts(sees.fabrics(), sees.namespaces());
        }
        boolean fabrics = access.may(caller, Right.FABRICS);
        boolean slices = access.may(caller, Right.slices(named(namespace)));
        if (!fabrics && !slices) {
            throw new Refused(403, caller.name() + " may neither " + Right.FABRICS + " nor " + Right.slices(namespace));
        }
        return view.parts(fabrics, slices ? Set.of(namespace) : Set.of());
    }

    private static String named(String namespace) {
        if (!NAMESPACE.matcher(namespace).matches()) {
            throw new Refused(400, "?namespace= is no name of a namespace: allowed is a DNS label");
        }
        return namespace;
    }
}
