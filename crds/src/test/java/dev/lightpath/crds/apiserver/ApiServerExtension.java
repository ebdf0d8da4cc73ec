package dev.lightpath.crds.apiserver;

import org.junit.jupiter.api.extension.BeforeAllCallback;
import org.junit.jupiter.api.extension.ExtensionContext;
import org.junit.jupiter.api.extension.ExtensionContext.Namespace;
import org.junit.jupiter.api.extension.ExtensionContext.StoreScope;
import org.junit.jupiter.api.extension.ParameterContext;
import org.junit.jupiter.api.extension.ParameterResolver;

/**
 * Gives tests an {@link ApiServer} with the four resources: one for all classes of a JVM, stopped at its end. Each
 * class finds it without what the others made. A run of several JVMs is one of each class to JUnit, so its root is too
 * small.
 */
public final class ApiServerExtension implements BeforeAllCallback, ParameterResolver {

    private static final Namespace NAMESPACE = Namespace.create(ApiServerExtension.class);

    @Override
    public void beforeAll(ExtensionContext context) {
        var unused = cleared(context);
    }

    @Override
    public boolean supportsParameter(ParameterContext parameter, ExtensionContext context) {
        return parameter.getParameter().getType() == ApiServer.class;
    }

    @Override
    public ApiServer resolveParameter(ParameterContext parameter, ExtensionContext context) {
        return cleared(context);
    }

    /** Once for each class, before its constructor may write. */
    private static ApiServer cleared(ExtensionContext context) {
        ApiServer server = context.getStore(StoreScope.LAUNCHER_SESSION, NAMESPACE)
                .computeIfAbsent(ApiServer.class, ignored -> ApiServer.startWithResources(), ApiServer.class);
        Class<?> outermost = context.getRequiredTestClass();
        while (outermost.getEnclosingClass() != null) {
            outermost = outermost.getEnclosingClass();
        }
        context.getRoot().getStore(NAMESPACE).computeIfAbsent(outermost, ignored -> {
            server.clear();
            return true;
        });
        return server;
    }
}
