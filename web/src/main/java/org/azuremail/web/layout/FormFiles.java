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

/**
 * If a form expects a file, text is refused before the form is bound: no form can be made of it. A browser never sends that; a
 * request that is made by hand may.
 */
final class FormFiles implements HandlerInterceptor {

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
                        throw new TextForAFile(field);
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
