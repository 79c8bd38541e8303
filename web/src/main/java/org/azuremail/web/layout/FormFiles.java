package org.azuremail.web.layout;

import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.lang.reflect.RecordComponent;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.stream.Stream;
import org.springframework.web.method.HandlerMethod;
import org.springframework.web.multipart.MultipartFile;
import org.springframework.web.servlet.HandlerInterceptor;

/** Refuses text for a field of a form that takes a file, before Spring fails to bind it. Browsers never send that. */
final class FormFiles implements HandlerInterceptor {

    /** Somebody sent text for this field, which takes a file; answered with 400. */
    static final class TextSent extends RuntimeException {
        private static final long serialVersionUID = 1;

        TextSent(String field) {
            super(field);
        }
    }

    private final Map<Class<?>, List<String>> known = new ConcurrentHashMap<>();

    @Override
    public boolean preHandle(HttpServletRequest request, HttpServletResponse response, Object handler) {
        if (handler instanceof HandlerMethod method) {
            Stream.of(method.getMethodParameters())
                    .flatMap(
                            parameter -> known.computeIfAbsent(parameter.getParameterType(), FormFiles::files).stream())
                    .filter(request.getParameterMap()::containsKey)
                    .findFirst()
                    .ifPresent(field -> {
                        throw new TextSent(field);
                    });
        }
        return true;
    }

    private static List<String> files(Class<?> form) {
        return form.isRecord()
                ? Arrays.stream(form.getRecordComponents())
                        .filter(component -> component.getType() == MultipartFile.class)
                        .map(RecordComponent::getName)
                        .toList()
                : List.of();
    }
}
