package dev.lightpath.crds.apiserver;

import org.junit.jupiter.api.extension.ExtensionContext;
import org.junit.jupiter.api.extension.ExtensionContext.Namespace;
import org.junit.jupiter.api.extension.ParameterContext;
import org.junit.jupiter.api.extension.ParameterResolver;

/** Gives tests an {@link ApiServer} with the four resources: one for all classes of a run, stopped at its end. */
public final class ApiServerExtension implements ParameterResolver {

    private static final Namespace NAMESPACE = Namespace.create(ApiServerExtension.class);

    @Override
    public boolean supportsParameter(ParameterContext parameter, ExtensionContext context) {
        return parameter.getParameter().getType() == ApiServer.class;
    }

    @Override
    public ApiServer resolveParameter(ParameterContext parameter, ExtensionContext context) {
        return context.getRoot()
                .getStore(NAMESPACE)
                .computeIfAbsent(ApiServer.class, ignored -> ApiServer.startWithResources(), ApiServer.class);
    }
}
