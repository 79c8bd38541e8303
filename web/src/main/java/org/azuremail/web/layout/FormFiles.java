package org.azuremail.web.layout;

import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.lang.reflect.RecordComponent;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.stream.Stream;
import org.springframework.http.HttpStatus;
import org.springframework.web.method.HandlerMethod;
import org.springframework.web.multipart.MultipartFile;
import org.springframework.web.server.ResponseStatusException;
import org.springframework.web.servlet.HandlerInterceptor;

/**
 * Refuses text for a field of a form that takes a file, and places in lists ({@code lists[7]}), before Spring fails to bind them.
 * Browsers never send that.
 */
final class FormFiles implements HandlerInterceptor {

    /** Somebody sent text for this field, which takes a file; answered with 400. */
    static final class TextSent extends RuntimeException {
        private static final long serialVersionUID = 1;

        TextSent(String field) {
            super(field);
        }
    }

    private final Map<Class<?>, List<RecordComponent>> known = new ConcurrentHashMap<>();

    @Override
    public boolean preHandle(HttpServletRequest request, HttpServletResponse response, Object handler) {
        if (handler instanceof HandlerMethod method) {
            Stream.of(method.getMethodParameters())
                    .flatMap(parameter ->
                            known.computeIfAbsent(parameter.getParameterType(), FormFiles::fields).stream())
                    .filter(field -> isUnfit(field, request.getParameterMap().keySet()))
                    .findFirst()
                    .ifPresent(field -> {
                        throw isList(field)
                                ? new ResponseStatusException(HttpStatus.BAD_REQUEST)
                                : new TextSent(field.getName());
                    });
        }
        return true;
    }

    private static boolean isUnfit(RecordComponent field, Set<String> sent) {
        return isList(field)
                ? sent.stream().anyMatch(name -> name.startsWith(field.getName() + "["))
                : sent.contains(field.getName());
    }

    private static boolean isList(RecordComponent field) {
        return field.getType() == List.class;
    }

    private static List<RecordComponent> fields(Class<?> form) {
        return form.isRecord()
                ? Arrays.stream(form.getRecordComponents())
                        .filter(field -> field.getType() == MultipartFile.class || isList(field))
                        .toList()
                : List.of();
    }
}
