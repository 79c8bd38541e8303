package org.azuremail.web.api;

import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.lang.reflect.Type;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.function.Function;
import java.util.function.Supplier;
import org.azuremail.list.ListName;
import org.azuremail.list.ListStore;
import org.azuremail.list.MailingList;
import org.azuremail.message.Message;
import org.azuremail.message.MessageRef;
import org.azuremail.message.Messages;
import org.azuremail.storage.Versioned;
import org.azuremail.subscription.subscriber.Origin;
import org.azuremail.time.Time;
import org.azuremail.web.key.ApiKey;
import org.jspecify.annotations.Nullable;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.context.annotation.Configuration;
import org.springframework.core.MethodParameter;
import org.springframework.core.ResolvableType;
import org.springframework.security.core.Authentication;
import org.springframework.web.bind.support.WebDataBinderFactory;
import org.springframework.web.context.request.NativeWebRequest;
import org.springframework.web.method.support.HandlerMethodArgumentResolver;
import org.springframework.web.method.support.ModelAndViewContainer;
import org.springframework.web.servlet.HandlerMapping;
import org.springframework.web.servlet.config.annotation.WebMvcConfigurer;
import tools.jackson.databind.json.JsonMapper;

/**
 * Resolves the arguments of API methods that Spring MVC does not know: the list or message named in the path, the
 * caller's {@link ApiKey} and {@link Origin}, {@link EntityTags}, {@link Paging} and {@link Idempotency}. Methods
 * declare them last, so that a call with a faulty body is refused for the body first. A call with an {@link
 * Idempotency} has a supplier of the list or message, which may have been deleted since the first call.
 */
@Configuration(proxyBeanMethods = false)
record ApiArguments(
        ObjectProvider<ListStore> lists,
        ObjectProvider<Messages> messages,
        ObjectProvider<IdempotentCalls> calls,
        ObjectProvider<JsonMapper> json,
        ObjectProvider<Time> time)
        implements WebMvcConfigurer {

    private static final Type LATER_LIST = ResolvableType.forClassWithGenerics(Supplier.class, MailingList.class)
            .getType();
    private static final Type LATER_MESSAGE =
            ResolvableType.forClassWithGenerics(Supplier.class, Message.class).getType();

    @Override
    public void addArgumentResolvers(List<HandlerMethodArgumentResolver> resolvers) {
        resolvers.add(new Argument(
                MailingList.class,
                call -> variable(call, "list").map(this::list).orElse(null)));
        resolvers.add(new Argument(
                Message.class,
                call -> variable(call, "messageRef").map(this::message).orElse(null)));
        resolvers.add(new Argument(LATER_LIST, call ->
                (Supplier<MailingList>) () -> list(variable(call, "list").orElseThrow())));
        resolvers.add(new Argument(LATER_MESSAGE, call ->
                (Supplier<Message>) () -> message(variable(call, "messageRef").orElseThrow())));
        resolvers.add(new Argument(ApiKey.class, ApiArguments::key));
        resolvers.add(new Argument(
                Origin.class,
                call -> Origin.api(key(call).label(), request(call).getRemoteAddr())));
        resolvers.add(new Argument(
                EntityTags.class,
                call -> new EntityTags(
                        request(call), Objects.requireNonNull(call.getNativeResponse(HttpServletResponse.class)))));
        resolvers.add(new Argument(Paging.class, call -> Paging.of(request(call))));
        resolvers.add(new Argument(
                Idempotency.class,
                call -> new Idempotency(
                        calls.getObject(), json.getObject(), time.getObject(), request(call), key(call))));
    }

    private record Argument(Type type, Function<NativeWebRequest, @Nullable Object> reader)
            implements HandlerMethodArgumentResolver {
        @Override
        public boolean supportsParameter(MethodParameter parameter) {
            return type.equals(parameter.getGenericParameterType());
        }

        @Override
        public @Nullable Object resolveArgument(
                MethodParameter parameter,
                @Nullable ModelAndViewContainer page,
                NativeWebRequest call,
                @Nullable WebDataBinderFactory binders) {
            return reader.apply(call);
        }
    }

    private MailingList list(String name) {
        return ListName.parse(name)
                .flatMap(lists.getObject()::find)
                .map(Versioned::value)
                .orElseThrow(() -> RefusedCall.noList(name));
    }

    private Message message(String ref) {
        return MessageRef.parse(ref)
                .flatMap(messages.getObject()::find)
                .orElseThrow(() -> RefusedCall.notFound("There is no message " + ref + "."));
    }

    private static Optional<String> variable(NativeWebRequest call, String name) {
        Map<?, ?> variables = (Map<?, ?>) request(call).getAttribute(HandlerMapping.URI_TEMPLATE_VARIABLES_ATTRIBUTE);
        return Optional.ofNullable(variables.get(name)).map(Object::toString);
    }

    private static HttpServletRequest request(NativeWebRequest call) {
        return Objects.requireNonNull(call.getNativeRequest(HttpServletRequest.class));
    }

    private static ApiKey key(NativeWebRequest call) {
        Authentication caller = (Authentication) Objects.requireNonNull(call.getUserPrincipal());
        return (ApiKey) Objects.requireNonNull(caller.getPrincipal());
    }
}
